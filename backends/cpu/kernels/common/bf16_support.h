// Whether there are instructions for bf16.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_COMMON_BF16_SUPPORT_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_COMMON_BF16_SUPPORT_H_

namespace dovetail::cpu {

// Whether this processor, within the limit of isa_limit.h, has dot products of
// bf16, and conversions to it (AVX-512).
bool HasBf16Products();

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_COMMON_BF16_SUPPORT_H_
