#include "dovetail/backends/cpu/kernels/integer/dot_products/depthwise_dots.h"
#include "dovetail/backends/cpu/kernels/integer/dot_products/few_channels.h"
#include "dovetail/backends/cpu/kernels/integer/dot_products/pointwise.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iostream>
#include <random>
#include <string>
#include <vector>

#include "dovetail/core/tensor/tensor.h"
#include "gtest/gtest.h"

namespace dovetail::cpu {
namespace {

// Input of the first is planar, of the others channels last.
enum class Kernel { kFewChannels, kPointwise, kDepthwise };

struct Case {
  IntegerConvolutionShape shape;
  ElementType output_type = ElementType::kF32;
  bool has_slope = false, has_grid = false;
  Kernel kernel = Kernel::kFewChannels;
  bool has_residual = false;
  ElementType residual_type = ElementType::kF32;
  bool of_floats = false;  // that are quantized
};

int64_t SizeOf(ElementType type) { return type == ElementType::kF32 ? 4 : 1; }

// A convolution of random numbers, and its results by definition.
class Problem {
 public:
  explicit Problem(const Case& c) : c_(c), s_(c.shape) {
    std::mt19937 generator(5);
    std::uniform_int_distribution<int> bytes(0, 255);
    std::uniform_real_distribution<float> values(-1, 1);
    input_.resize(s_.batch * s_.inputs * s_.rows.input * s_.columns.input);
    for (uint8_t& byte : input_) byte = static_cast<uint8_t>(bytes(generator));
    for (size_t i = 0; c.of_floats && i < input_.size(); ++i) {
      const int64_t plane = s_.rows.input * s_.columns.input;
      const int64_t channel = static_cast<int64_t>(i) / plane % s_.inputs;
      const auto number =
          static_cast<float>(Number(s_.input_type, input_[i]));
      // Not near to a tie.
      floats_.push_back(
          (number + 0.4f * values(generator) - kShift[channel]) /
          kScale[channel]);
    }
    weights_.resize(s_.outputs * taps());
    for (int8_t& byte : weights_) byte = static_cast<int8_t>(bytes(generator));
    residual_.resize(count() * SizeOf(c.residual_type));
    for (uint8_t& byte : residual_) {
      byte = static_cast<uint8_t>(bytes(generator));
    }
    if (c.residual_type == ElementType::kF32) {
      auto* const floats = reinterpret_cast<float*>(residual_.data());
      for (int64_t i = 0; i < count(); ++i) floats[i] = values(generator);
    } else {
      e_.residual_scale = 0.01f;
      e_.residual_shift = -0.5f;
    }
    e_.residual_type = c.residual_type;
    const float reach = 2e4f * std::sqrt(static_cast<float>(taps()));
    for (int64_t i = 0; i < s_.outputs; ++i) {
      scale_.push_back((2 + values(generator)) / reach);
      bias_.push_back(values(generator));
      slope_.push_back(values(generator));
      output_scale_.push_back(80 + values(generator));
      output_shift_.push_back(c.output_type == ElementType::kU8 ? 100 : -5);
    }
    e_.scale = scale_.data();
    e_.bias = bias_.data();
    if (c.has_slope) e_.slope = slope_.data();
    e_.has_grid = c.has_grid;
    e_.grid = {.scale = 16, .shift = 17, .low = 3, .high = 50,
               .step = 0.0625f, .offset = -1.5f};
    e_.low = -1.5f;
    e_.high = 2.25f;
    e_.output_type = c.output_type;
    e_.output_scale = output_scale_.data();
    e_.output_shift = output_shift_.data();
    e_.output_low = c.output_type == ElementType::kU8 ? 0 : -100;
    e_.output_high = 120;
  }

  void Check(int threads) const {
    const bool is_float = c_.output_type == ElementType::kF32;
    const std::vector<float> got = Run(threads);
    // Where a number is near the middle of two, either is right.
    const float tolerance = is_float ? 1e-5f : 0.501f;
    const float wide =
        tolerance + (c_.has_grid ? 0.0625f * (is_float ? 1 : 81) : 0);
    int64_t other_way = 0;
    for (size_t i = 0; i < got.size(); ++i) {
      const double want = Want(static_cast<int64_t>(i));
      ASSERT_NEAR(got[i], want, wide) << "element " << i;
      other_way += std::abs(got[i] - want) > tolerance;
    }
    EXPECT_LE(other_way, c_.has_grid ? got.size() / 200 : 0);
  }

 private:
  int64_t taps() const {
    return s_.inputs / s_.groups * s_.rows.kernel * s_.columns.kernel;
  }

  int64_t count() const {
    return s_.batch * s_.rows.output * s_.columns.output * s_.outputs;
  }

  std::vector<float> Run(int threads) const {
    switch (c_.kernel) {
      case Kernel::kPointwise:
        return Run(PointwiseIntegerMethod(s_, threads));
      case Kernel::kDepthwise:
        return Run(DepthwiseDotsMethod(s_));
      case Kernel::kFewChannels:
        break;
    }
    if (!c_.of_floats) return Run(FewChannelsIntegerMethod(s_, threads));
    ByteQuantization by;
    std::copy_n(kScale, 4, by.scale);
    std::copy_n(kShift, 4, by.shift);
    if (s_.input_type == ElementType::kI8) by.low = -128, by.high = 127;
    return Run(FewChannelsIntegerMethod(s_, threads, by));
  }

  // In two parts, as two threads would.
  std::vector<float> Run(const IntegerMethod& method) const {
    std::vector<int8_t> packed(method.weights_bytes() + 4);
    method.PackWeights(weights_.data(), packed.data());
    const auto epilogue =
        Tensor::Allocate(ElementType::kU8, {method.epilogue_bytes()});
    EXPECT_TRUE(epilogue.ok());
    method.PackEpilogue(e_, epilogue->mutable_data<uint8_t>());
    std::vector<float> output(count());
    IntegerConvolutionOperands operands;
    operands.input = input_.data();
    if (c_.of_floats) operands.input = floats_.data();
    operands.weights = packed.data();
    operands.epilogue = e_;
    operands.packed_epilogue = epilogue->data<uint8_t>();
    if (c_.has_residual) operands.residual = residual_.data();
    operands.output = output.data();
    std::vector<uint8_t> scratch(method.scratch_bytes());
    const int64_t items = method.work_item_count();
    method.Run(operands, 0, items / 2, scratch.data());
    method.Run(operands, items / 2, items - items / 2, scratch.data());
    if (c_.output_type == ElementType::kF32) return output;
    const auto* const bytes = reinterpret_cast<const uint8_t*>(output.data());
    std::vector<float> numbers;
    for (int64_t i = 0; i < count(); ++i) {
      numbers.push_back(c_.output_type == ElementType::kU8
                            ? bytes[i]
                            : static_cast<int8_t>(bytes[i]));
    }
    return numbers;
  }

  int64_t Data(int64_t n, int64_t i, int64_t y, int64_t x) const {
    if (y < 0 || x < 0 || y >= s_.rows.input || x >= s_.columns.input) return 0;
    const int64_t height = s_.rows.input, width = s_.columns.input;
    const int64_t at =
        c_.kernel == Kernel::kFewChannels
            ? ((n * s_.inputs + i) * height + y) * width + x
            : ((n * height + y) * width + x) * s_.inputs + i;
    return Number(s_.input_type, input_[at]) - s_.zero_point;
  }

  static int64_t Number(ElementType type, uint8_t byte) {
    return type == ElementType::kU8 ? byte : static_cast<int8_t>(byte);
  }

  double Residual(int64_t at) const {
    const ElementType type = e_.residual_type;
    const double number =
        type == ElementType::kF32
            ? reinterpret_cast<const float*>(residual_.data())[at]
            : static_cast<double>(Number(type, residual_[at]));
    return number * e_.residual_scale + e_.residual_shift;
  }

  int64_t Sum(int64_t n, int64_t o, int64_t y, int64_t x) const {
    int64_t sum = 0, at = o * taps();
    const int64_t first = s_.groups > 1 ? o : 0;
    for (int64_t i = first; i < first + s_.inputs / s_.groups; ++i) {
      for (int64_t r = 0; r < s_.rows.kernel; ++r) {
        for (int64_t c = 0; c < s_.columns.kernel; ++c) {
          const int64_t iy = y * s_.rows.stride - s_.rows.pad +
                             r * s_.rows.dilation;
          const int64_t ix = x * s_.columns.stride - s_.columns.pad +
                             c * s_.columns.dilation;
          sum += Data(n, i, iy, ix) * weights_[at++];
        }
      }
    }
    return sum;
  }

  double Want(int64_t at) const {
    const int64_t o = at % s_.outputs, pixel = at / s_.outputs;
    const int64_t x = pixel % s_.columns.output;
    const int64_t row = pixel / s_.columns.output;
    const auto sum = static_cast<double>(
        Sum(row / s_.rows.output, o, row % s_.rows.output, x));
    double number = sum * scale_[o] + bias_[o];
    if (e_.has_grid) {
      number = std::nearbyint(
          std::clamp<double>(number * e_.grid.scale + e_.grid.shift,
                             e_.grid.low, e_.grid.high));
      number = number * e_.grid.step + e_.grid.offset;
    }
    if (c_.has_residual) number += Residual(at);
    if (c_.has_slope && number < 0) number *= slope_[o];
    number = std::clamp<double>(number, e_.low, e_.high);
    if (c_.output_type == ElementType::kF32) return number;
    return std::clamp<double>(number * output_scale_[o] + output_shift_[o],
                              e_.output_low, e_.output_high);
  }

  // Of floats that are quantized.
  static constexpr float kScale[] = {30, 0.125f, 1, 7};
  static constexpr float kShift[] = {3, 0, -50, 0.75f};

  const Case c_;
  const IntegerConvolutionShape& s_ = c_.shape;
  std::vector<uint8_t> input_, residual_;
  std::vector<float> floats_;
  std::vector<int8_t> weights_;
  std::vector<float> scale_, bias_, slope_, output_scale_, output_shift_;
  IntegerEpilogue e_;
};

// batch, inputs, outputs, groups, rows, columns, type, zero point; of an axis:
// input, output, kernel, stride, dilation, pad.
std::vector<IntegerConvolutionShape> Shapes() {
  constexpr ElementType kU8 = ElementType::kU8, kI8 = ElementType::kI8;
  return {
      {1, 3, 32, 1, {30, 15, 3, 2, 1, 1}, {37, 19, 3, 2, 1, 1}, kU8, 0},
      {2, 3, 64, 1, {11, 11, 3, 1, 1, 1}, {13, 13, 3, 1, 1, 1}, kU8, 119},
      {1, 1, 16, 1, {9, 9, 3, 1, 1, 1}, {40, 40, 3, 1, 1, 1}, kU8, 0},
      {1, 1, 20, 1, {12, 6, 5, 2, 1, 2}, {50, 25, 5, 2, 1, 2}, kI8, -3},
      {1, 3, 96, 1, {23, 9, 7, 2, 1, 0}, {29, 12, 7, 2, 1, 0}, kI8, 7},
      {1, 2, 40, 1, {9, 9, 3, 1, 2, 2}, {17, 17, 3, 1, 2, 2}, kU8, 3},
      {1, 4, 133, 1, {5, 4, 2, 1, 1, 0}, {6, 3, 2, 2, 1, 0}, kU8, 0},
      // Fewer results than are computed together.
      {1, 3, 48, 1, {4, 2, 3, 2, 1, 1}, {5, 3, 3, 2, 1, 1}, kU8, 9},
  };
}

TEST(FewChannelsTest, IsAConvolution) {
  int skipped = 0;
  for (const IntegerConvolutionShape& shape : Shapes()) {
    if (!FewChannelsIntegerMethod::IsSupported(shape)) {
      ++skipped;
      continue;
    }
    for (const ElementType type :
         {ElementType::kF32, ElementType::kU8, ElementType::kI8}) {
      for (const bool slope : {false, true}) {
        for (const bool grid : {false, true}) {
          Problem({shape, type, slope, grid}).Check(slope ? 1 : 3);
        }
      }
      Case of_floats = {shape, type};
      of_floats.of_floats = true;
      Problem(of_floats).Check(2);
    }
  }
  if (skipped > 0) {
    std::cout << "skipped " << skipped << " shapes: no AVX-512 with VNNI\n";
  }
}

TEST(PointwiseTest, IsAConvolution) {
  constexpr ElementType kU8 = ElementType::kU8, kI8 = ElementType::kI8;
  const IntegerConvolutionShape shapes[] = {
      {1, 16, 96, 1, {9, 9}, {11, 11}, kU8, 0},
      {2, 24, 144, 1, {7, 7}, {7, 7}, kU8, 128},
      {1, 32, 8, 1, {20, 20}, {30, 30}, kU8, 5},
      {1, 36, 48, 1, {1, 1}, {3, 3}, kU8, 0},
      {3, 8, 21, 1, {2, 2}, {2, 2}, kU8, 17},
  };
  if (!PointwiseIntegerMethod::IsSupported(shapes[0])) {
    std::cout << "skipped: no AVX-512 with VNNI\n";
    return;
  }
  for (const IntegerConvolutionShape& shape : shapes) {
    ASSERT_TRUE(PointwiseIntegerMethod::IsSupported(shape));
    for (const ElementType type : {ElementType::kF32, kU8, kI8}) {
      for (const bool slope : {false, true}) {
        Problem({shape, type, slope, slope, Kernel::kPointwise})
            .Check(slope ? 1 : 3);
        for (const ElementType residual : {ElementType::kF32, kU8, kI8}) {
          Problem({shape, type, slope, false, Kernel::kPointwise, true,
                   residual})
              .Check(2);
        }
      }
    }
  }
}

TEST(PointwiseTest, LeavesOtherShapesToOthers) {
  IntegerConvolutionShape shape = {1, 16, 16, 1, {9, 9}, {11, 11}};
  shape.inputs = 17;
  EXPECT_FALSE(PointwiseIntegerMethod::IsSupported(shape));
  shape.inputs = 16;
  shape.rows.stride = 2;
  EXPECT_FALSE(PointwiseIntegerMethod::IsSupported(shape));
  shape.rows.stride = 1;
  shape.input_type = ElementType::kI8;
  EXPECT_FALSE(PointwiseIntegerMethod::IsSupported(shape));
}

TEST(DepthwiseDotsTest, IsAConvolution) {
  constexpr ElementType kU8 = ElementType::kU8, kI8 = ElementType::kI8;
  const IntegerConvolutionShape shapes[] = {
      // Whole groups, half ones, and channels that fill them after 4 pixels or 8.
      {1, 64, 64, 64, {7, 7, 3, 1, 1, 1}, {9, 9, 3, 1, 1, 1}, kU8, 0},
      {2, 96, 96, 96, {8, 8, 3, 1, 1, 1}, {11, 11, 3, 1, 1, 1}, kU8, 5},
      {1, 144, 144, 144, {5, 5, 3, 1, 1, 1}, {6, 6, 3, 1, 1, 1}, kU8, 128},
      {1, 24, 24, 24, {6, 4, 3, 1, 1, 0}, {9, 7, 3, 1, 1, 0}, kU8, 3},
      {1, 16, 16, 16, {3, 3, 3, 1, 1, 1}, {1, 1, 3, 1, 1, 1}, kU8, 9},
      {1, 8, 8, 8, {3, 5, 3, 1, 1, 2}, {20, 22, 3, 1, 1, 2}, kU8, 9},
      // Every second window, and every third.
      {2, 96, 96, 96, {8, 4, 3, 2, 1, 1}, {9, 5, 3, 2, 1, 1}, kU8, 7},
      {1, 192, 192, 192, {7, 4, 3, 2, 1, 1}, {7, 4, 3, 2, 1, 1}, kU8, 0},
      {1, 32, 32, 32, {7, 7, 3, 1, 1, 1}, {8, 4, 3, 2, 1, 1}, kU8, 200},
      {1, 80, 80, 80, {9, 3, 3, 3, 1, 0}, {13, 4, 3, 3, 1, 0}, kU8, 1},
  };
  if (!DepthwiseDotsMethod::IsSupported(shapes[0])) {
    std::cout << "skipped: no AVX-512 with VNNI\n";
    return;
  }
  for (const IntegerConvolutionShape& shape : shapes) {
    ASSERT_TRUE(DepthwiseDotsMethod::IsSupported(shape));
    for (const ElementType type : {ElementType::kF32, kU8, kI8}) {
      for (const bool slope : {false, true}) {
        Problem({shape, type, slope, slope, Kernel::kDepthwise}).Check(2);
      }
    }
  }
}

TEST(DepthwiseDotsTest, LeavesOtherShapesToOthers) {
  IntegerConvolutionShape shape = {1,  16, 16, 16, {9, 9, 3, 1, 1, 1},
                                   {9, 9, 3, 1, 1, 1}};
  shape.groups = 1;
  EXPECT_FALSE(DepthwiseDotsMethod::IsSupported(shape));
  shape.groups = 16;
  shape.rows.kernel = 5;
  EXPECT_FALSE(DepthwiseDotsMethod::IsSupported(shape));
  shape.rows.kernel = 3;
  shape.input_type = ElementType::kI8;
  EXPECT_FALSE(DepthwiseDotsMethod::IsSupported(shape));
}

TEST(FewChannelsTest, LeavesOtherShapesToOthers) {
  IntegerConvolutionShape shape = Shapes()[0];
  shape.inputs = 5;
  EXPECT_FALSE(FewChannelsIntegerMethod::IsSupported(shape));
  shape = Shapes()[2];
  shape.columns.dilation = 2;
  EXPECT_FALSE(FewChannelsIntegerMethod::IsSupported(shape));
}

}  // namespace
}  // namespace dovetail::cpu
