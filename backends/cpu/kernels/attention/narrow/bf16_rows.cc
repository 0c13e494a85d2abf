#include "dovetail/backends/cpu/kernels/attention/narrow/bf16_rows.h"

#if defined(__x86_64__)
#include <immintrin.h>

#include <algorithm>

// Highway has no target of just these instructions.
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"

#define DOVETAIL_BF16 \
  __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512bf16")))

namespace dovetail::cpu {
namespace {

constexpr int64_t kLanes = 16;

__mmask16 FirstOf(int64_t count) {
  return static_cast<__mmask16>((1u << std::clamp<int64_t>(count, 0, kLanes)) -
                                1);
}

DOVETAIL_BF16 __m256i Rounded(const float* from, int64_t count) {
  const __m512 x = _mm512_maskz_loadu_ps(FirstOf(count), from);
  return reinterpret_cast<__m256i>(_mm512_cvtneps_pbh(x));
}

}  // namespace

DOVETAIL_BF16 void RoundRow(const float* from, int64_t count, int64_t padded,
                            uint16_t* to) {
  for (int64_t i = 0; i < padded; i += kLanes) {
    _mm256_mask_storeu_epi16(to + i, FirstOf(padded - i),
                             Rounded(from + i, count - i));
  }
}

DOVETAIL_BF16 void InterleaveRows(const float* first, const float* second,
                                  int64_t count, int64_t padded, uint32_t* to) {
  for (int64_t i = 0; i < padded; i += kLanes) {
    const int64_t of_first = first == nullptr ? 0 : count - i;
    const int64_t of_second = second == nullptr ? 0 : count - i;
    const __m512i low = _mm512_cvtepu16_epi32(
        Rounded(first == nullptr ? nullptr : first + i, of_first));
    const __m512i high = _mm512_cvtepu16_epi32(
        Rounded(second == nullptr ? nullptr : second + i, of_second));
    _mm512_storeu_si512(to + i,
                        _mm512_or_si512(low, _mm512_slli_epi32(high, 16)));
  }
}

}  // namespace dovetail::cpu

#else

namespace dovetail::cpu {

void RoundRow(const float*, int64_t, int64_t, uint16_t*) {}
void InterleaveRows(const float*, const float*, int64_t, int64_t, uint32_t*) {}

}  // namespace dovetail::cpu

#endif
