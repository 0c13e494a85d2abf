#include "dovetail/backends/cpu/kernels/integer/integer_convolution.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace dovetail::cpu {
namespace {

constexpr int64_t kBlock = 8;

int64_t BlocksOf(int64_t channels) { return (channels + kBlock - 1) / kBlock; }

int32_t IntegerAt(ElementType type, const void* data, int64_t at) {
  return type == ElementType::kI8 ? static_cast<const int8_t*>(data)[at]
                                  : static_cast<const uint8_t*>(data)[at];
}

float NumberAt(ElementType type, const void* data, int64_t at) {
  if (type == ElementType::kF32) return static_cast<const float*>(data)[at];
  return static_cast<float>(IntegerAt(type, data, at));
}

void StoreNumber(float number, const IntegerEpilogue& epilogue, void* output,
                 int64_t at) {
  if (epilogue.output_type == ElementType::kF32) {
    static_cast<float*>(output)[at] = number;
    return;
  }
  const bool is_signed = epilogue.output_type == ElementType::kI8;
  number = number * epilogue.output_scale + epilogue.output_shift;
  number = std::clamp(number, is_signed ? -128.0f : 0.0f,
                      is_signed ? 127.0f : 255.0f);
  static_cast<uint8_t*>(output)[at] = static_cast<uint8_t>(std::lrint(number));
}

void StoreZero(ElementType type, void* output, int64_t at) {
  if (type == ElementType::kF32) {
    static_cast<float*>(output)[at] = 0;
  } else {
    static_cast<uint8_t*>(output)[at] = 0;
  }
}

int32_t Sum(const IntegerConvolutionShape& s, const void* input,
            const int8_t* weights, int64_t n, int64_t o, int64_t y, int64_t x) {
  const int64_t inputs = s.inputs / s.groups;
  const int64_t first = s.groups == 1 ? 0 : o;
  int32_t sum = 0;
  for (int64_t i = 0; i < inputs; ++i) {
    for (int64_t r = 0; r < s.rows.kernel; ++r) {
      const int64_t iy = y * s.rows.stride - s.rows.pad + r * s.rows.dilation;
      if (iy < 0 || iy >= s.rows.input) continue;
      for (int64_t c = 0; c < s.columns.kernel; ++c) {
        const int64_t ix =
            x * s.columns.stride - s.columns.pad + c * s.columns.dilation;
        if (ix < 0 || ix >= s.columns.input) continue;
        const int64_t channel = first + i;
        const int64_t plane = n * BlocksOf(s.inputs) + channel / kBlock;
        const int64_t at =
            ((plane * s.rows.input + iy) * s.columns.input + ix) * kBlock +
            channel % kBlock;
        const int64_t tap =
            ((o * inputs + i) * s.rows.kernel + r) * s.columns.kernel + c;
        sum +=
            (IntegerAt(s.input_type, input, at) - s.zero_point) * weights[tap];
      }
    }
  }
  return sum;
}

float Finish(const IntegerConvolutionOperands& operands, int32_t sum,
             int64_t channel, int64_t at) {
  const IntegerEpilogue& e = operands.epilogue;
  float x = static_cast<float>(sum) * e.scale[channel] + e.bias[channel];
  if (operands.residual != nullptr) {
    x += NumberAt(e.residual_type, operands.residual, at) * e.residual_scale +
         e.residual_shift;
  }
  if (e.slope != nullptr && x < 0) x *= e.slope[channel];
  return std::min(std::max(x, e.low), e.high);
}

}  // namespace

bool IntegerConvolution::IsSupported(const IntegerConvolutionShape& shape) {
  const int64_t taps =
      shape.inputs / shape.groups * shape.rows.kernel * shape.columns.kernel;
  const bool is_depthwise =
      shape.groups == shape.inputs && shape.groups == shape.outputs;
  return (shape.groups == 1 || is_depthwise) &&
         taps < std::numeric_limits<int32_t>::max() / (255 * 128);
}

IntegerConvolution::IntegerConvolution(const IntegerConvolutionShape& shape,
                                       const int8_t* /*weights*/,
                                       int /*threads*/)
    : shape_(shape) {}

absl::string_view IntegerConvolution::weights_form() const { return "plain"; }

int64_t IntegerConvolution::weights_bytes() const {
  return shape_.outputs * (shape_.inputs / shape_.groups) * shape_.rows.kernel *
         shape_.columns.kernel;
}

void IntegerConvolution::PackWeights(const int8_t* weights,
                                     void* packed) const {
  std::memcpy(packed, weights, weights_bytes());
}

int64_t IntegerConvolution::piece_count() const {
  return shape_.batch * BlocksOf(shape_.outputs) * shape_.rows.output;
}

int64_t IntegerConvolution::scratch_bytes() const { return 64; }

void IntegerConvolution::Run(const IntegerConvolutionOperands& operands,
                             int64_t first, int64_t count,
                             void* /*scratch*/) const {
  const int64_t blocks = BlocksOf(shape_.outputs);
  for (int64_t piece = first; piece < first + count; ++piece) {
    const int64_t y = piece % shape_.rows.output;
    const int64_t plane = piece / shape_.rows.output;
    for (int64_t x = 0; x < shape_.columns.output; ++x) {
      for (int64_t lane = 0; lane < kBlock; ++lane) {
        const int64_t at = (piece * shape_.columns.output + x) * kBlock + lane;
        const int64_t channel = plane % blocks * kBlock + lane;
        if (channel >= shape_.outputs) {
          StoreZero(operands.epilogue.output_type, operands.output, at);
          continue;
        }
        const int32_t sum = Sum(shape_, operands.input,
                                static_cast<const int8_t*>(operands.weights),
                                plane / blocks, channel, y, x);
        StoreNumber(Finish(operands, sum, channel, at), operands.epilogue,
                    operands.output, at);
      }
    }
  }
}

}  // namespace dovetail::cpu
