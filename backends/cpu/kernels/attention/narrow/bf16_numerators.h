// The numerators of a softmax as bf16. For processors that HasBf16Products.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_ATTENTION_NARROW_BF16_NUMERATORS_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_ATTENTION_NARROW_BF16_NUMERATORS_H_

#include <cstdint>

namespace dovetail::cpu {

// The greatest of `count` scores; not of those that are NaN.
float GreatestScore(const float* scores, int64_t count);

// exp(scale * score - greatest) of `count` scores, rounded to bf16, and zeros
// up to `padded`, a multiple of 16; answers their sum before rounding. NaN
// where a score is, or where the difference is none.
float NumeratorsOf(const float* scores, int64_t count, float scale,
                   float greatest, int64_t padded, uint16_t* to);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_ATTENTION_NARROW_BF16_NUMERATORS_H_
