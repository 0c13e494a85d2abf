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
namespace {

constexpr int64_t kPixels = 16;

__mmask16 PixelsLeft(int64_t count) {
  return static_cast<__mmask16>((1u << std::min(kPixels, count)) - 1);
}

// One channel of 16 pixels, a byte in each lane.
class Quantizer {
 public:
  Quantizer(const ByteQuantization& of, int64_t channel)
      : scale_(_mm512_set1_ps(of.scale[channel])),
        shift_(_mm512_set1_ps(of.shift[channel])),
        low_(_mm512_set1_ps(of.low)),
        high_(_mm512_set1_ps(of.high)) {}

  __m512i Load(const float* from, __mmask16 mask) const {
    const __m512 x = _mm512_maskz_loadu_ps(mask, from);
    const __m512 y = _mm512_fmadd_ps(x, scale_, shift_);
    const __m512i integers =
        _mm512_cvtps_epi32(_mm512_min_ps(_mm512_max_ps(y, low_), high_));
    return _mm512_and_si512(integers, _mm512_set1_epi32(0xff));
  }

 private:
  const __m512 scale_, shift_, low_, high_;
};

// load(c, x, mask): of channel c, 16 pixels from number x on.
template <typename Load>
void Join(int64_t channels, int64_t count, uint8_t flip, uint8_t* to,
          Load load) {
  const __m512i flips = _mm512_set1_epi8(static_cast<char>(flip));
  for (int64_t x = 0; x < count; x += kPixels) {
    const __mmask16 mask = PixelsLeft(count - x);
    __m512i pixels = _mm512_setzero_si512();
    for (int64_t c = channels - 1; c >= 0; --c) {
      pixels = _mm512_or_si512(_mm512_slli_epi32(pixels, 8), load(c, x, mask));
    }
    _mm512_mask_storeu_epi32(to + x * 4, mask,
                             _mm512_xor_si512(pixels, flips));
  }
}

}  // namespace

void JoinChannels(const PlanarPixels<uint8_t>& pixels, uint8_t flip,
                  uint8_t* to) {
  Join(pixels.channels, pixels.count, flip, to,
       [&](int64_t c, int64_t x, __mmask16 mask) {
         return _mm512_cvtepu8_epi32(_mm_maskz_loadu_epi8(
             mask, pixels.first + c * pixels.plane + x));
       });
}

void JoinChannels(const PlanarPixels<float>& pixels,
                  const ByteQuantization& quantization, uint8_t flip,
                  uint8_t* to) {
  const Quantizer quantizers[] = {{quantization, 0},
                                  {quantization, 1},
                                  {quantization, 2},
                                  {quantization, 3}};
  Join(pixels.channels, pixels.count, flip, to,
       [&](int64_t c, int64_t x, __mmask16 mask) {
         return quantizers[c].Load(pixels.first + c * pixels.plane + x, mask);
       });
}

void QuantizeChannel(const PlanarPixels<float>& pixels,
                     const ByteQuantization& quantization, uint8_t flip,
                     uint8_t* to) {
  const Quantizer quantizer(quantization, 0);
  const __m512i flips = _mm512_set1_epi32(flip);
  for (int64_t x = 0; x < pixels.count; x += kPixels) {
    const __mmask16 mask = PixelsLeft(pixels.count - x);
    const __m512i bytes = quantizer.Load(pixels.first + x, mask);
    _mm_mask_storeu_epi8(
        to + x, mask, _mm512_cvtepi32_epi8(_mm512_xor_si512(bytes, flips)));
  }
}

}  // namespace dovetail::cpu

#pragma GCC pop_options

#else

namespace dovetail::cpu {

void JoinChannels(const PlanarPixels<uint8_t>&, uint8_t, uint8_t*) {}
void JoinChannels(const PlanarPixels<float>&, const ByteQuantization&, uint8_t,
                  uint8_t*) {}
void QuantizeChannel(const PlanarPixels<float>&, const ByteQuantization&,
                     uint8_t, uint8_t*) {}

}  // namespace dovetail::cpu

#endif
