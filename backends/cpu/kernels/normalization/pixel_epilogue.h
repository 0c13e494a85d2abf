// What is done to numbers that were normalized, channel by channel, before they
// are stored.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_NORMALIZATION_PIXEL_EPILOGUE_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_NORMALIZATION_PIXEL_EPILOGUE_H_

#include <cstdint>

#include "dovetail/core/tensor/types/element_type.h"

namespace dovetail::cpu {

// In this order, all in f32:
//   with a grid: x = min(max(round(x * grid.scale + grid.shift), 0), grid.steps)
//   x = x * scale + shift
//   with slopes: x = (x < 0 ? x * slope : x) + last_shift
//   x = min(max(x, low), high)
//   integers: rounded to the nearest one, to the even one of two; low and high
//     are of their type
// f32 numbers are stored as they are, bf16 where a kernel says that it has it.
struct PixelEpilogue {
  struct Grid {
    float scale = 1, shift = 0, steps = 255;
  };
  bool has_grid = false, has_slope = false;
  Grid grid;
  ElementType output_type = ElementType::kF32;  // or u8, i8, bf16

  // For each of `channels` channels, arrays `stride` numbers apart.
  const float* numbers = nullptr;
  int64_t channels = 0, stride = 0;

  enum Array { kScale, kShift, kSlope, kLastShift, kLow, kHigh, kArrays };
  const float* array(Array i) const { return numbers + i * stride; }
};

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_NORMALIZATION_PIXEL_EPILOGUE_H_
