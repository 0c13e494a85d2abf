#include "dovetail/backends/cpu/kernels/integer/integer_convolution.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <new>
#include <random>
#include <string>
#include <vector>

#include "dovetail/backends/cpu/kernels/common/channel_block.h"

#include "gtest/gtest.h"

namespace dovetail::cpu {
namespace {

// Memory at 64 bytes.
class Bytes {
 public:
  explicit Bytes(int64_t count)
      : data_(static_cast<uint8_t*>(::operator new(count, kAlignment))),
        size_(count) {
    std::memset(data_, 0, count);
  }
  ~Bytes() { ::operator delete(data_, kAlignment); }
  Bytes(const Bytes&) = delete;
  Bytes& operator=(const Bytes&) = delete;

  uint8_t* data() const { return data_; }
  int64_t size() const { return size_; }
  float number(ElementType type, int64_t i) const {
    if (type == ElementType::kF32) return reinterpret_cast<float*>(data_)[i];
    return type == ElementType::kI8 ? static_cast<int8_t>(data_[i]) : data_[i];
  }

 private:
  static constexpr std::align_val_t kAlignment{64};
  uint8_t* data_;
  int64_t size_;
};

int64_t SizeOf(ElementType type) { return type == ElementType::kF32 ? 4 : 1; }

void FillRandom(ElementType type, std::mt19937& generator, const Bytes& bytes) {
  if (type != ElementType::kF32) {
    for (int64_t i = 0; i < bytes.size(); ++i) bytes.data()[i] = generator();
    return;
  }
  std::uniform_real_distribution<float> values(-3, 3);
  float* const floats = reinterpret_cast<float*>(bytes.data());
  for (int64_t i = 0; i < bytes.size() / 4; ++i) floats[i] = values(generator);
}

struct Case {
  IntegerConvolutionShape shape;
  ElementType output_type = ElementType::kF32;
  bool has_residual = false;
  ElementType residual_type = ElementType::kF32;
  bool has_slope = false;
  bool has_grid = false;
};

constexpr float kGridStep = 0.0625f;

// A convolution and its operands, of random numbers; what is in padding
// channels of the input, too.
class Problem {
 public:
  explicit Problem(const Case& c)
      : case_(c),
        input_(c.shape.batch * ChannelBlocks(c.shape.inputs) * kChannelBlock *
               c.shape.rows.input * c.shape.columns.input),
        weights_(c.shape.outputs * inputs_of_one() * c.shape.rows.kernel *
                 c.shape.columns.kernel),
        residual_(count() * SizeOf(c.residual_type)) {
    std::mt19937 generator(11);
    FillRandom(ElementType::kU8, generator, input_);
    FillRandom(ElementType::kI8, generator, weights_);
    FillRandom(c.residual_type, generator, residual_);
    std::uniform_real_distribution<float> values(-1, 1);
    const int64_t channels = ChannelBlocks(c.shape.outputs) * kChannelBlock;
    const float reach = 4e4f * std::sqrt(static_cast<float>(taps()));
    for (int64_t i = 0; i < channels; ++i) {
      scale_.push_back((2 + values(generator)) / reach);
      bias_.push_back(values(generator));
      slope_.push_back(values(generator));
      output_scale_.push_back(80 + values(generator));
      output_shift_.push_back((c.output_type == ElementType::kU8 ? 100 : -5) +
                              values(generator));
    }
    e_.scale = scale_.data();
    e_.bias = bias_.data();
    if (c.has_slope) e_.slope = slope_.data();
    e_.residual_type = c.residual_type;
    if (c.residual_type != ElementType::kF32) {
      e_.residual_scale = 0.01f;
      e_.residual_shift = -0.5f;
    }
    e_.has_grid = c.has_grid;
    e_.grid.scale = 1 / kGridStep;
    e_.grid.shift = 17;
    e_.grid.low = 3;
    e_.grid.high = 50;
    e_.grid.step = kGridStep;
    e_.grid.offset = -1.5f;
    e_.low = -1.5f;
    e_.high = 2.25f;
    e_.output_type = c.output_type;
    e_.output_scale = output_scale_.data();
    e_.output_shift = output_shift_.data();
    e_.output_low = -100;
    e_.output_high = 200;
  }

  void Check() const {
    const Bytes output(count() * SizeOf(case_.output_type));
    Run(output);
    const bool is_float = case_.output_type == ElementType::kF32;
    // Where a number is near the middle of two integers, any of them is right.
    const float tolerance = is_float ? 2e-6f : 0.501f;
    // Of a grid too; few are.
    const float wide =
        tolerance + (e_.has_grid ? kGridStep * (is_float ? 1 : 81) : 0);
    int64_t other_way = 0;
    for (int64_t i = 0; i < count(); ++i) {
      const double want = Want(i);
      const double got = output.number(case_.output_type, i);
      ASSERT_NEAR(got, want, wide) << "element " << i;
      other_way += std::abs(got - want) > tolerance;
    }
    EXPECT_LE(other_way, e_.has_grid ? count() / 500 : 0);
  }

 private:
  int64_t inputs_of_one() const {
    return case_.shape.inputs / case_.shape.groups;
  }
  int64_t taps() const {
    return inputs_of_one() * case_.shape.rows.kernel *
           case_.shape.columns.kernel;
  }
  int64_t count() const {
    const IntegerConvolutionShape& s = case_.shape;
    return s.batch * ChannelBlocks(s.outputs) * kChannelBlock * s.rows.output *
           s.columns.output;
  }

  // In two parts, as two threads would.
  void Run(const Bytes& output) const {
    const auto* weights = reinterpret_cast<const int8_t*>(weights_.data());
    const IntegerConvolution convolution(case_.shape, weights, 2);
    const Bytes packed(convolution.weights_bytes());
    convolution.PackWeights(weights, packed.data());
    IntegerConvolutionOperands operands;
    operands.input = input_.data();
    operands.weights = packed.data();
    if (case_.has_residual) operands.residual = residual_.data();
    operands.epilogue = e_;
    operands.output = output.data();
    const Bytes scratch(convolution.scratch_bytes());
    const int64_t items = convolution.work_item_count();
    convolution.Run(operands, 0, items / 2, scratch.data());
    convolution.Run(operands, items / 2, items - items / 2, scratch.data());
  }

  int64_t Sum(int64_t n, int64_t o, int64_t y, int64_t x) const {
    const IntegerConvolutionShape& s = case_.shape;
    const auto* w = reinterpret_cast<const int8_t*>(weights_.data());
    int64_t sum = 0;
    for (int64_t k = 0; k < taps(); ++k) {
      const int64_t c = k % s.columns.kernel;
      const int64_t r = k / s.columns.kernel % s.rows.kernel;
      const int64_t i = k / s.columns.kernel / s.rows.kernel;
      const int64_t iy = y * s.rows.stride - s.rows.pad + r * s.rows.dilation;
      const int64_t ix =
          x * s.columns.stride - s.columns.pad + c * s.columns.dilation;
      if (iy < 0 || ix < 0 || iy >= s.rows.input || ix >= s.columns.input) {
        continue;
      }
      const int64_t channel = s.groups == 1 ? i : o;
      const int64_t plane =
          n * ChannelBlocks(s.inputs) + channel / kChannelBlock;
      const int64_t at =
          ((plane * s.rows.input + iy) * s.columns.input + ix) * kChannelBlock +
          channel % kChannelBlock;
      const auto number = static_cast<int64_t>(input_.number(s.input_type, at));
      sum += (number - s.zero_point) * w[o * taps() + k];
    }
    return sum;
  }

  double Want(int64_t i) const {
    const IntegerConvolutionShape& s = case_.shape;
    const int64_t x = i / kChannelBlock % s.columns.output;
    const int64_t y = i / kChannelBlock / s.columns.output % s.rows.output;
    const int64_t plane = i / kChannelBlock / s.columns.output / s.rows.output;
    const int64_t o =
        plane % ChannelBlocks(s.outputs) * kChannelBlock + i % kChannelBlock;
    if (o >= s.outputs) return 0;
    double number =
        static_cast<double>(Sum(plane / ChannelBlocks(s.outputs), o, y, x)) *
            scale_[o] +
        bias_[o];
    if (e_.has_grid) {
      number = number * e_.grid.scale + e_.grid.shift;
      number = std::nearbyint(
          std::clamp<double>(number, e_.grid.low, e_.grid.high));
      number = number * e_.grid.step + e_.grid.offset;
    }
    if (case_.has_residual) {
      number += residual_.number(e_.residual_type, i) *
                    static_cast<double>(e_.residual_scale) +
                e_.residual_shift;
    }
    if (case_.has_slope && number < 0) number *= slope_[o];
    number = std::clamp<double>(number, e_.low, e_.high);
    if (e_.output_type == ElementType::kF32) return number;
    number = number * output_scale_[o] + output_shift_[o];
    return e_.output_type == ElementType::kU8
               ? std::clamp(number, 0.0, 200.0)
               : std::clamp(number, -100.0, 127.0);
  }

  const Case case_;
  const Bytes input_, weights_, residual_;
  std::vector<float> scale_, bias_, slope_, output_scale_, output_shift_;
  IntegerEpilogue e_;
};

// Every shape with all kinds of what follows.
void CheckAll(const std::vector<IntegerConvolutionShape>& shapes) {
  const ElementType types[] = {ElementType::kF32, ElementType::kU8,
                               ElementType::kI8};
  for (size_t i = 0; i < shapes.size(); ++i) {
    if (!IntegerConvolution::IsSupported(shapes[i])) {
      GTEST_SKIP() << "no vectors of 16 integers";
    }
    for (const ElementType output : types) {
      SCOPED_TRACE("shape " + std::to_string(i));
      Problem({shapes[i], output}).Check();
      Problem({shapes[i], output, false, ElementType::kF32, true}).Check();
      for (const ElementType residual : types) {
        Problem({shapes[i], output, true, residual}).Check();
      }
    }
  }
}

constexpr auto kU8 = ElementType::kU8;
constexpr auto kI8 = ElementType::kI8;

TEST(IntegerConvolutionTest, OfSinglePixels) {
  CheckAll({
      {1, 16, 16, 1, {5, 5}, {7, 7}, kU8, 0},
      {2, 24, 20, 1, {3, 3}, {6, 6}, kU8, 128},
      {1, 9, 40, 1, {4, 4}, {4, 4}, kI8, -3},
      {1, 32, 8, 1, {9, 5, 1, 2}, {13, 7, 1, 2}, kU8, 3},
      {1, 130, 37, 1, {1, 1}, {1, 1}, kU8, 0},
      {3, 8, 24, 1, {2, 2}, {3, 5, 1, 1, 1, 1}, kU8, 255},
  });
}

TEST(IntegerConvolutionTest, OfWindows) {
  CheckAll({
      {1, 16, 16, 1, {8, 8, 3, 1, 1, 1}, {9, 9, 3, 1, 1, 1}, kU8, 0},
      {1, 16, 24, 1, {8, 4, 3, 2, 1, 1}, {31, 16, 3, 2, 1, 1}, kU8, 100},
      {2, 3, 12, 1, {9, 5, 7, 2, 1, 3}, {11, 6, 7, 2, 1, 3}, kI8, 5},
      {1, 1, 5, 1, {6, 6, 3, 1, 1, 1}, {40, 40, 3, 1, 1, 1}, kU8, 7},
      {1, 10, 8, 1, {12, 12, 3, 1, 4, 4}, {9, 9, 5, 1, 2, 4}, kU8, 9},
      {1, 8, 8, 1, {3, 3, 3, 1, 9, 9}, {4, 4, 3, 1, 9, 9}, kU8, 9},
      {1, 40, 48, 1, {3, 3, 3, 1, 1, 1}, {3, 3, 3, 1, 1, 1}, kU8, 0},
      {1, 64, 32, 1, {30, 30, 3, 1, 1, 1}, {30, 30, 3, 1, 1, 1}, kU8, 0},
  });
}

TEST(IntegerConvolutionTest, OfEachChannel) {
  CheckAll({
      {1, 16, 16, 16, {10, 10, 3, 1, 1, 1}, {37, 37, 3, 1, 1, 1}, kU8, 0},
      {2, 9, 9, 9, {9, 5, 3, 2, 1, 1}, {20, 10, 3, 2, 1, 1}, kU8, 77},
      {1, 8, 8, 8, {9, 5, 5, 2, 1, 2}, {30, 10, 5, 3, 1, 2}, kI8, -7},
      {1, 8, 8, 8, {6, 1, 6, 1, 1, 0}, {6, 1, 6, 1, 1, 0}, kU8, 0},
      {1, 8, 8, 8, {5, 5, 3, 1, 4, 4}, {17, 17, 3, 1, 4, 4}, kU8, 1},
  });
}

TEST(IntegerConvolutionTest, RoundsToAGridBeforeItAddsResiduals) {
  const IntegerConvolutionShape shapes[] = {
      {1, 24, 20, 1, {3, 3}, {6, 6}, kU8, 128},
      {1, 16, 16, 1, {8, 8, 3, 1, 1, 1}, {9, 9, 3, 1, 1, 1}, kU8, 0},
      {1, 16, 16, 16, {10, 10, 3, 1, 1, 1}, {9, 9, 3, 1, 1, 1}, kU8, 0},
  };
  for (const IntegerConvolutionShape& shape : shapes) {
    for (const ElementType output : {ElementType::kF32, kU8}) {
      for (const bool has_residual : {false, true}) {
        Problem({.shape = shape,
                 .output_type = output,
                 .has_residual = has_residual,
                 .residual_type = kU8,
                 .has_grid = true})
            .Check();
      }
    }
  }
}

TEST(IntegerConvolutionTest, RefusesGroupsOfSeveralChannels) {
  EXPECT_FALSE(
      IntegerConvolution::IsSupported({1, 16, 16, 2, {5, 5}, {7, 7}, kU8, 0}));
}

TEST(IntegerConvolutionTest, RefusesSumsBeyond32Bits) {
  EXPECT_FALSE(IntegerConvolution::IsSupported(
      {1, 1 << 17, 16, 1, {5, 5}, {7, 7}, kU8, 0}));
}

}  // namespace
}  // namespace dovetail::cpu
