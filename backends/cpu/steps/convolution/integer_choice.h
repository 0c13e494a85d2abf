// The convolutions and matrix products that are worth computing with integers.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_CONVOLUTION_INTEGER_CHOICE_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_CONVOLUTION_INTEGER_CHOICE_H_

#include <cstdint>

#include "dovetail/core/graph/node.h"

namespace dovetail::cpu {

// On how many channels own dot products take windows of one pixel with an
// activation behind them where oneDNN has tiles (AMX). With 512, as without
// tiles, a quantized inception_next_tiny took 9.0 ms in place of 7.3, a
// poolformer_s12 4.8 in place of 4.0, a rexnet_100 3.6 in place of 3.7 (Xeon
// with AMX, 2 threads).
inline constexpr int64_t kManyInputsOfTiles = 64;

// Whether this processor computes anything with integers: with dot products of
// bytes, or by own kernels, which multiply 16 bits as fast as floats, or bytes
// faster, and read a quarter of the memory.
bool HasIntegerConvolutions();

// Whether emitters compute the linear operation with integers, given data and
// weights of 8 bits. What they would not is better left as floats from the
// start. Asked by the passes too, when extents may be unknown.
bool TakesIntegers(const Node& linear);

// Whether emitters compute it faster with i8 than with u8 and a zero point.
bool PrefersSigned(const Node& linear);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_CONVOLUTION_INTEGER_CHOICE_H_
