#include "dovetail/backends/cpu/kernels/integer/dot_products/join_channels.h"

#include <algorithm>

#if defined(__x86_64__)
#include <immintrin.h>

#pragma GCC push_options
// In headers of GCC, where a value does not matter.
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl")

namespace dovetail::cpu {

void JoinChannels(const uint8_t* from, int64_t plane, int64_t channels,
                  int64_t count, uint8_t flip, uint8_t* to) {
  constexpr int64_t kPixels = 16;
  const __m512i flips = _mm512_set1_epi8(static_cast<char>(flip));
  for (int64_t x = 0; x < count; x += kPixels) {
    const auto mask = static_cast<__mmask16>(
        (1u << std::min(kPixels, count - x)) - 1);
    __m512i pixels = _mm512_setzero_si512();
    for (int64_t c = channels - 1; c >= 0; --c) {
      const __m512i channel = _mm512_cvtepu8_epi32(
          _mm_maskz_loadu_epi8(mask, from + x + c * plane));
      pixels = _mm512_or_si512(_mm512_slli_epi32(pixels, 8), channel);
    }
    _mm512_mask_storeu_epi32(to + x * 4, mask,
                             _mm512_xor_si512(pixels, flips));
  }
}

}  // namespace dovetail::cpu

#pragma GCC pop_options

#else

namespace dovetail::cpu {

void JoinChannels(const uint8_t*, int64_t, int64_t, int64_t, uint8_t,
                  uint8_t*) {}

}  // namespace dovetail::cpu

#endif
