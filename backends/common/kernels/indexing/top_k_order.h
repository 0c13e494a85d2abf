// The order of numbers in TopK, as an order of integers.
#ifndef DOVETAIL_BACKENDS_COMMON_KERNELS_INDEXING_TOP_K_ORDER_H_
#define DOVETAIL_BACKENDS_COMMON_KERNELS_INDEXING_TOP_K_ORDER_H_

#include <cstdint>
#include <cstring>

#include "dovetail/backends/common/kernels/indexing/top_k.h"

namespace dovetail::host {

// A number that is less the better x is, and of equal x the lower the index:
// the upper half by x, the lower half the index.
inline uint64_t RankOf(float x, int64_t index, bool of_max) {
  uint32_t bits;
  x += 0.0f;  // -0 is 0
  std::memcpy(&bits, &x, sizeof(bits));
  // Floats are ordered as their bits are, negative ones the other way round.
  constexpr uint32_t kSign = 0x80000000;
  uint32_t order = (bits & kSign) != 0 ? ~bits : bits | kSign;
  if (x != x) order = ~uint32_t{0};
  if (of_max) order = ~order;
  return uint64_t{order} << 32 | static_cast<uint32_t>(index);
}

inline int64_t IndexOf(uint64_t rank) { return static_cast<uint32_t>(rank); }

inline void StoreBest(const TopKOutput& out, int64_t at, float value,
                      int64_t index) {
  if (out.values != nullptr) out.values[at] = value;
  if (out.indices_i32 != nullptr) {
    out.indices_i32[at] = static_cast<int32_t>(index);
  }
  if (out.indices_i64 != nullptr) out.indices_i64[at] = index;
}

}  // namespace dovetail::host

#endif  // DOVETAIL_BACKENDS_COMMON_KERNELS_INDEXING_TOP_K_ORDER_H_
