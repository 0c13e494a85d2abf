#include "dovetail/backends/common/kernels/random/philox.h"

#include <algorithm>

#include "dovetail/backends/common/kernels/simd/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/common/kernels/random/philox.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace dovetail::host {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::CappedTag<uint32_t, 16>;
using Vector = hn::Vec<Tag>;
using FloatTag = hn::RebindToFloat<Tag>;

// The constants of the paper.
constexpr uint32_t kMultiplier0 = 0xD2511F53;
constexpr uint32_t kMultiplier1 = 0xCD9E8D57;
constexpr uint32_t kWeyl0 = 0x9E3779B9;
constexpr uint32_t kWeyl1 = 0xBB67AE85;
constexpr int kRounds = 10;

uint32_t Low(uint64_t x) { return static_cast<uint32_t>(x); }
uint32_t High(uint64_t x) { return static_cast<uint32_t>(x >> 32); }

// Products of 64 bits, as two halves.
struct Product {
  Vector high, low;
};

HWY_INLINE Product Multiply(Vector x, uint32_t by) {
  const Tag d;
#if HWY_TARGET == HWY_SCALAR
  const uint64_t product = uint64_t{hn::GetLane(x)} * by;
  return {hn::Set(d, High(product)), hn::Set(d, Low(product))};
#else
  const hn::RepartitionToWide<Tag> dw;
  const auto factor = hn::Set(d, by);
  const auto odd_x = hn::BitCast(d, hn::ShiftRight<32>(hn::BitCast(dw, x)));
  const auto even = hn::MulEven(x, factor);
  const auto odd = hn::MulEven(odd_x, factor);
  return {hn::OddEven(hn::BitCast(d, odd),
                      hn::BitCast(d, hn::ShiftRight<32>(even))),
          hn::OddEven(hn::BitCast(d, hn::ShiftLeft<32>(odd)),
                      hn::BitCast(d, even))};
#endif
}

// As many blocks as lanes, one behind the other.
HWY_INLINE void FillBlocks(const PhiloxUniform& uniform, uint64_t block,
                           float* out) {
  const Tag d;
  const auto begin = hn::Set(d, Low(block));
  auto x0 = hn::Iota(d, Low(block));
  // Where the low half begins anew, the high one has grown.
  auto x1 = hn::IfThenElse(hn::Lt(x0, begin), hn::Set(d, High(block) + 1),
                           hn::Set(d, High(block)));
  auto x2 = hn::Set(d, Low(uniform.op_seed));
  auto x3 = hn::Set(d, High(uniform.op_seed));
  uint32_t key_0 = Low(uniform.global_seed);
  uint32_t key_1 = High(uniform.global_seed);
  for (int round = 0; round < kRounds; ++round) {
    const Product a = Multiply(x0, kMultiplier0);
    const Product b = Multiply(x2, kMultiplier1);
    x0 = hn::Xor(hn::Xor(b.high, x1), hn::Set(d, key_0));
    x1 = b.low;
    x2 = hn::Xor(hn::Xor(a.high, x3), hn::Set(d, key_1));
    x3 = a.low;
    key_0 += kWeyl0;
    key_1 += kWeyl1;
  }
  const FloatTag df;
  const auto number = [&](Vector draw) HWY_ATTR {
    const hn::RebindToSigned<Tag> di;
    const auto bits = hn::And(draw, hn::Set(d, 0x7fffff));
    const auto unit = hn::Mul(hn::ConvertTo(df, hn::BitCast(di, bits)),
                              hn::Set(df, 1.0f / (1 << 23)));
    return hn::Add(hn::Mul(unit, hn::Set(df, uniform.extent)),
                   hn::Set(df, uniform.min));
  };
  hn::StoreInterleaved4(number(x0), number(x1), number(x2), number(x3), df,
                        out);
}

}  // namespace

void Fill(const PhiloxUniform& uniform, uint64_t block, int64_t count,
          float* out) {
  constexpr int64_t kLanes = HWY_LANES(float) < 16 ? HWY_LANES(float) : 16;
  const auto blocks = static_cast<int64_t>(hn::Lanes(Tag()));
  const int64_t numbers = blocks * kPhiloxBlock;
  for (; count >= numbers; count -= numbers, out += numbers, block += blocks) {
    FillBlocks(uniform, block, out);
  }
  if (count == 0) return;
  HWY_ALIGN float last[kLanes * kPhiloxBlock];
  FillBlocks(uniform, block, last);
  std::copy_n(last, count, out);
}

}  // namespace HWY_NAMESPACE
}  // namespace dovetail::host
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dovetail::host {

HWY_EXPORT(Fill);

void FillPhilox(const PhiloxUniform& uniform, uint64_t block, int64_t count,
                float* out) {
  HWY_DYNAMIC_DISPATCH(Fill)(uniform, block, count, out);
}

}  // namespace dovetail::host
#endif  // HWY_ONCE
