// Whether kernels that are written for vectors of 32 bytes and more can run.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_COMMON_WIDE_VECTORS_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_COMMON_WIDE_VECTORS_H_

namespace dovetail::cpu {

// The processor has them (AVX2), and the limit of instruction sets allows them.
// Without, such kernels compute nothing and must not be chosen.
bool HasWideVectors();

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_COMMON_WIDE_VECTORS_H_
