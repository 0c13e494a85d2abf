// Elements of any type of whole bytes as f32 and back, by the rules of the
// operation Convert (core/tensor/types/element_cast.h): floats round to nearest
// even, integers are truncated, and what does not fit them wraps.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_COMMON_CONVERT_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_COMMON_CONVERT_H_

#include <cstddef>
#include <cstdint>

#include "dovetail/core/tensor/types/element_type.h"

namespace dovetail::cpu {

// Whether the functions below take the type: boolean, f16, bf16, f32, f64 and
// all integers of whole bytes.
bool IsConvertible(ElementType type);

// `count` elements at `from` (of any alignment) as f32 to `to`; no overlap.
using LoadFloatsFn = void (*)(const void* from, float* to, size_t count);
// `count` numbers to elements at `to`; no overlap.
using StoreFloatsFn = void (*)(const float* from, void* to, size_t count);

// The functions for a type that IsConvertible, else null. Numbers under 2^-126
// may become zeros of bf16.
LoadFloatsFn FindLoadFloats(ElementType type);
StoreFloatsFn FindStoreFloats(ElementType type);

// Element i of the result is element i * stride in memory, for any stride.
void LoadStridedFloats(ElementType type, const void* from, int64_t stride,
                       float* to, size_t count);
void StoreStridedFloats(ElementType type, const float* from, void* to,
                        int64_t stride, size_t count);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_COMMON_CONVERT_H_
