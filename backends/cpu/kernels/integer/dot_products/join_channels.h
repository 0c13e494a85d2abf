// From planes to pixels of bytes (AVX-512).
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_DOT_PRODUCTS_JOIN_CHANNELS_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_DOT_PRODUCTS_JOIN_CHANNELS_H_

#include <cstdint>

namespace dovetail::cpu {

// Some pixels of a row of up to 4 channels.
template <typename Element>  // uint8_t or float
struct PlanarPixels {
  const Element* first = nullptr;  // of the first channel
  int64_t plane = 0;               // elements from a channel to the next
  int64_t channels = 1, count = 0;
};

// What becomes of floats: x * scale + shift of their channel, to the nearest
// integer, to the even one of two, from low to high, whole numbers of a type of
// bytes.
struct ByteQuantization {
  float scale[4] = {1, 1, 1, 1}, shift[4] = {};
  float low = 0, high = 255;
};

// Pixel i goes to `to` + 4 * i, channels in order, others 0, all bytes changed by
// `flip`. The functions do nothing where HasDotLanes() is false.
void JoinChannels(const PlanarPixels<uint8_t>& pixels, uint8_t flip,
                  uint8_t* to);
void JoinChannels(const PlanarPixels<float>& pixels,
                  const ByteQuantization& quantization, uint8_t flip,
                  uint8_t* to);

// The first channel alone, pixel i to `to` + i.
void QuantizeChannel(const PlanarPixels<float>& pixels,
                     const ByteQuantization& quantization, uint8_t flip,
                     uint8_t* to);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_DOT_PRODUCTS_JOIN_CHANNELS_H_
