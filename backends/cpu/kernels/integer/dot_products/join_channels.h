// From planes to pixels of four bytes (AVX-512).
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_DOT_PRODUCTS_JOIN_CHANNELS_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_DOT_PRODUCTS_JOIN_CHANNELS_H_

#include <cstdint>

namespace dovetail::cpu {

// `count` pixels of up to 4 channels, whose rows are `plane` bytes apart: pixel
// i goes to `to` + 4 * i, channels in order, others 0, all bytes changed by
// `flip`. Does nothing where HasDotTiles() is false.
void JoinChannels(const uint8_t* from, int64_t plane, int64_t channels,
                  int64_t count, uint8_t flip, uint8_t* to);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_DOT_PRODUCTS_JOIN_CHANNELS_H_
