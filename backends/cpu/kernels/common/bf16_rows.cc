#include "dovetail/backends/cpu/kernels/common/bf16_rows.h"

#if defined(__x86_64__)
#include "dovetail/backends/cpu/kernels/common/bf16_target.h"

namespace dovetail::cpu {
namespace {

DOVETAIL_BF16 __m256i Rounded(const float* from, int64_t count) {
  const __m512 x = _mm512_maskz_loadu_ps(FirstLanes(count), from);
  return reinterpret_cast<__m256i>(_mm512_cvtneps_pbh(x));
}

}  // namespace

DOVETAIL_BF16 void RoundRow(const float* from, int64_t count, int64_t padded,
                            uint16_t* to) {
  int64_t i = 0;
  for (; i + kBf16Lanes <= count; i += kBf16Lanes) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + i),
                        reinterpret_cast<__m256i>(
                            _mm512_cvtneps_pbh(_mm512_loadu_ps(from + i))));
  }
  for (; i < padded; i += kBf16Lanes) {
    _mm256_mask_storeu_epi16(to + i, FirstLanes(padded - i),
                             Rounded(from + i, count - i));
  }
}

DOVETAIL_BF16 void InterleaveRows(const float* first, const float* second,
                                  int64_t count, int64_t padded, uint32_t* to) {
  for (int64_t i = 0; i < padded; i += kBf16Lanes) {
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
