// Kernels for f32 serve f16 and bf16 too: a block of elements is widened,
// computed and narrowed again, so that no loop is compiled for these types.
#ifndef DOVETAIL_CORE_REFERENCE_COMMON_HALF_BLOCKS_H_
#define DOVETAIL_CORE_REFERENCE_COMMON_HALF_BLOCKS_H_

#include <cstdint>

#include "dovetail/core/tensor/types/element_type.h"

namespace dovetail {

// Elements that fit on the stack three times and stay in the cache.
inline constexpr int64_t kHalfBlock = 512;

inline bool IsHalfPrecision(ElementType type) {
  return type == ElementType::kF16 || type == ElementType::kBf16;
}

// `count` elements of half precision, from element `first` of `data`, as
// floats.
void WidenHalfPrecision(ElementType type, const void* data, int64_t first,
                        int64_t count, float* out);
// The reverse, rounding to nearest even.
void NarrowToHalfPrecision(ElementType type, const float* in, int64_t count,
                           void* data, int64_t first);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_COMMON_HALF_BLOCKS_H_
