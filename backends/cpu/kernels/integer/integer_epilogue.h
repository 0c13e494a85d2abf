// Epilogue of integer kernels: what becomes of exact sums of products.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_INTEGER_EPILOGUE_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_INTEGER_EPILOGUE_H_

#include <cstdint>
#include <limits>

#include "dovetail/core/tensor/types/element_type.h"

namespace dovetail::cpu {

// In this order, all in f32:
//   x = sum * scale + bias
//   with a grid: x * grid.scale + grid.shift, rounded to the nearest integer,
//   to
//     the even one of two, from grid.low to grid.high; of that q,
//     x = q * grid.step + grid.offset
//   x = x + (residual * residual_scale + residual_shift)
//   x = activation(x), where there is no residual and no slope; a grid comes
//     behind it then, which kernels of dot products alone have
//   x = x < 0 ? x * slope : x
//   x = min(max(x, low), high)
//   f32 output: x
//   integers: x * output_scale + output_shift, rounded to the nearest integer,
//     to the even one of two, and limited to what the type holds and to the
//     range from output_low to output_high
// Numbers of padding channels become 0 of the output's type.
struct IntegerEpilogue {
  enum class Activation : uint8_t {
    kNone,
    kSigmoid,
    kSwish,     // x * sigmoid(beta * x)
    kHSwish,    // x * min(max(x + 3, 0), 6) / 6
    kGelu,      // x * (1 + erf(x / sqrt(2))) / 2
    kGeluTanh,  // x * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 x^3))) / 2
  };

  // What FakeQuantize does before a residual is added, or to what an activation
  // gives.
  struct Grid {
    float scale = 1, shift = 0;
    float low = 0, high = 255;  // whole numbers
    float step = 1, offset = 0;
  };

  // A number for each channel of the output, whole blocks of 8.
  const float* scale = nullptr;
  const float* bias = nullptr;
  const float* slope = nullptr;  // or none: 1

  bool has_grid = false;
  Grid grid;

  Activation activation = Activation::kNone;
  float beta = 1;

  // f32, u8 or i8; whether there is one is said by the operands.
  ElementType residual_type = ElementType::kF32;
  float residual_scale = 1, residual_shift = 0;

  float low = -std::numeric_limits<float>::infinity();
  float high = std::numeric_limits<float>::infinity();

  // f32, u8 or i8.
  ElementType output_type = ElementType::kF32;
  // For integers: numbers for each channel, as above, scales above 0; and whole
  // numbers.
  const float* output_scale = nullptr;
  const float* output_shift = nullptr;
  float output_low = -128, output_high = 255;
};

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_INTEGER_EPILOGUE_H_
