// 2^x by AVX-512, for Highway's kernels and for those that are compiled for
// more of AVX-512 than Highway has targets of. Nothing on other processors.
#ifndef DOVETAIL_BACKENDS_COMMON_KERNELS_SIMD_AVX512_POWER_H_
#define DOVETAIL_BACKENDS_COMMON_KERNELS_SIMD_AVX512_POWER_H_

#if defined(__x86_64__)
#include <immintrin.h>

namespace dovetail::host {

// 2^x for every x, infinities too: one instruction takes the fraction of x,
// another one applies the rest of it. Relative error 1e-7. NaN of NaN.
__attribute__((target("avx512f,avx512dq"), always_inline)) inline __m512
Avx512PowerOfTwo(__m512 x) {
  const __m512 fraction = _mm512_reduce_ps(x, _MM_FROUND_TO_NEG_INF);
  // 2^r for 0 <= r <= 1; 8e-8.
  constexpr float kTerms[] = {1.0f,           0.6931513100f,   0.2401644448f,
                              0.05579990908f, 0.009017028275f, 0.001867130329f};
  __m512 power = _mm512_set1_ps(kTerms[5]);
#pragma GCC unroll 5
  for (int i = 4; i >= 0; --i) {
    power = _mm512_fmadd_ps(power, fraction, _mm512_set1_ps(kTerms[i]));
  }
  return _mm512_scalef_ps(power, x);
}

}  // namespace dovetail::host

#endif  // defined(__x86_64__)

#endif  // DOVETAIL_BACKENDS_COMMON_KERNELS_SIMD_AVX512_POWER_H_
