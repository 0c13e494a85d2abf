// The instruction sets that kernels are compiled for, by Highway: include this
// before any header of Highway.
//
// AVX2 with FMA, AVX-512, and a baseline that any processor runs. Those between
// have no processors of interest, and each costs compile time and size.
#ifndef DOVETAIL_BACKENDS_COMMON_KERNELS_SIMD_SIMD_TARGETS_H_
#define DOVETAIL_BACKENDS_COMMON_KERNELS_SIMD_SIMD_TARGETS_H_

#ifndef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
#endif

#endif  // DOVETAIL_BACKENDS_COMMON_KERNELS_SIMD_SIMD_TARGETS_H_
