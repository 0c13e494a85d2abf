// Dot products of bytes in vectors of 16 lanes: AVX-512 with VNNI.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_DOT_PRODUCTS_DOT_LANES_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_DOT_PRODUCTS_DOT_LANES_H_

#include <cstdint>

namespace dovetail::cpu {

// Whether the processor has the instructions, and the limit of instruction sets
// allows them. Without, the kernels of this folder do nothing.
bool HasDotLanes();

inline constexpr int64_t kDotLanes = 16;
// Vectors of channels that are computed together: a group.
inline constexpr int64_t kDotVectors = 4;
inline constexpr int64_t kDotGroup = kDotVectors * kDotLanes;

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_DOT_PRODUCTS_DOT_LANES_H_
