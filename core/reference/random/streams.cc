#include "dovetail/core/reference/random/streams.h"

namespace dovetail {
namespace {

// The constants of the paper.
constexpr uint64_t kMultiplier0 = 0xD2511F53;
constexpr uint64_t kMultiplier1 = 0xCD9E8D57;
constexpr uint32_t kWeyl0 = 0x9E3779B9;
constexpr uint32_t kWeyl1 = 0xBB67AE85;
constexpr int kRounds = 10;

uint32_t Low(uint64_t x) { return static_cast<uint32_t>(x); }
uint32_t High(uint64_t x) { return static_cast<uint32_t>(x >> 32); }

}  // namespace

std::array<uint32_t, 4> PhiloxStream::Next() {
  std::array<uint32_t, 4> x = {Low(low_), High(low_), Low(high_),
                               High(high_)};
  uint32_t key_0 = Low(key_), key_1 = High(key_);
  for (int round = 0; round < kRounds; ++round) {
    const uint64_t product_0 = kMultiplier0 * x[0];
    const uint64_t product_1 = kMultiplier1 * x[2];
    x = {High(product_1) ^ x[1] ^ key_0, Low(product_1),
         High(product_0) ^ x[3] ^ key_1, Low(product_0)};
    key_0 += kWeyl0;
    key_1 += kWeyl1;
  }
  if (++low_ == 0) ++high_;
  return x;
}

}  // namespace dovetail
