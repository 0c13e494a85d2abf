#include "dovetail/backends/cpu/kernels/attention/narrow/bf16_numerators.h"

#if defined(__x86_64__)
#include <limits>

#include "dovetail/backends/common/kernels/simd/avx512_power.h"
#include "dovetail/backends/cpu/kernels/common/bf16_target.h"

namespace dovetail::cpu {
namespace {

constexpr float kNothing = -std::numeric_limits<float>::infinity();
constexpr float kLog2E = 1.44269504f;

// What is beyond `count` has the score of what does not count.
DOVETAIL_BF16 __m512 ScoresAt(const float* scores, int64_t count) {
  const auto first = static_cast<__mmask16>(
      (1u << std::clamp<int64_t>(count, 0, kBf16Lanes)) - 1);
  return _mm512_mask_loadu_ps(_mm512_set1_ps(kNothing), first, scores);
}

}  // namespace

DOVETAIL_BF16 float GreatestScore(const float* scores, int64_t count) {
  __m512 greatest = _mm512_set1_ps(kNothing);
  for (int64_t i = 0; i < count; i += kBf16Lanes) {
    greatest = _mm512_max_ps(ScoresAt(scores + i, count - i), greatest);
  }
  return _mm512_reduce_max_ps(greatest);
}

DOVETAIL_BF16 float NumeratorsOf(const float* scores, int64_t count,
                                 float scale, float greatest, int64_t padded,
                                 uint16_t* to) {
  const __m512 factor = _mm512_set1_ps(scale * kLog2E);
  const __m512 shift = _mm512_set1_ps(greatest * kLog2E);
  __m512 sum = _mm512_setzero_ps();
  for (int64_t i = 0; i < padded; i += kBf16Lanes) {
    const __m512 power = host::Avx512PowerOfTwo(
        _mm512_fmsub_ps(ScoresAt(scores + i, count - i), factor, shift));
    sum = _mm512_add_ps(sum, power);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + i),
                        reinterpret_cast<__m256i>(_mm512_cvtneps_pbh(power)));
  }
  return _mm512_reduce_add_ps(sum);
}

}  // namespace dovetail::cpu

#else

namespace dovetail::cpu {

float GreatestScore(const float*, int64_t) { return 0; }
float NumeratorsOf(const float*, int64_t, float, float, int64_t, uint16_t*) {
  return 1;
}

}  // namespace dovetail::cpu

#endif
