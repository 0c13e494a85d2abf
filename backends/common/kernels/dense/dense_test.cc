#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "dovetail/backends/common/kernels/dense/dense_convolution.h"
#include "dovetail/backends/common/kernels/dense/dense_product.h"
#include "dovetail/backends/common/kernels/dense/half_rows.h"
#include "dovetail/core/executor/team/work_team.h"
#include "dovetail/core/tensor/types/narrow_float.h"
#include "gtest/gtest.h"

namespace dovetail::host {
namespace {

// Of few bits, so that sums of hundreds of products are exact.
std::vector<float> Numbers(int64_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<float> numbers(count);
  for (float& number : numbers) {
    number = static_cast<float>(static_cast<int>(random() % 17) - 8) / 8;
  }
  return numbers;
}

std::vector<uint16_t> Halves(const std::vector<float>& numbers) {
  std::vector<uint16_t> halves;
  for (const float number : numbers) halves.push_back(FloatToF16Bits(number));
  return halves;
}

float Finished(double sum, const HalfEpilogue& e) {
  double value = sum * e.scale + e.shift;
  if (value < 0) value *= e.slope;
  if (value < e.low) value = e.low;
  if (value > e.high) value = e.high;
  return F16BitsToFloat(FloatToF16Bits(static_cast<float>(value)));
}

// One output, by the definition.
double SumOf(const DenseShape& s, const std::vector<float>& data,
             const std::vector<float>& weights, int64_t image, int64_t channel,
             int64_t oy, int64_t ox) {
  const int64_t group = channel / s.outputs;
  const int64_t channels = s.groups * s.inputs;
  double sum = 0;
  for (int64_t c = 0; c < s.inputs; ++c) {
    for (int64_t ky = 0; ky < s.y.kernel; ++ky) {
      for (int64_t kx = 0; kx < s.x.kernel; ++kx) {
        const int64_t iy = s.y.Begin(oy) + ky * s.y.dilation;
        const int64_t ix = s.x.Begin(ox) + kx * s.x.dilation;
        if (iy < 0 || iy >= s.y.input || ix < 0 || ix >= s.x.input) continue;
        const int64_t in = group * s.inputs + c;
        const int64_t pixel = iy * s.x.input + ix;
        const int64_t at =
            s.pixels_first
                ? (image * s.y.input * s.x.input + pixel) * channels + in
                : (image * channels + in) * s.y.input * s.x.input + pixel;
        sum +=
            static_cast<double>(data[at]) *
            weights[((channel * s.inputs + c) * s.y.kernel + ky) * s.x.kernel +
                    kx];
      }
    }
  }
  return sum;
}

void Check(const DenseShape& s, const HalfEpilogue& epilogue = {}) {
  const std::vector<float> data = Numbers(s.input_count(), 1);
  const int64_t channels = s.groups * s.outputs;
  const std::vector<float> weights = Numbers(channels * s.inner(), 2);
  std::vector<HalfEpilogue> epilogues(channels, epilogue);
  for (int64_t c = 0; c < channels; ++c) {
    epilogues[c].shift += static_cast<float>(c % 5) / 4;
  }
  const DenseConvolution convolution(s, weights.data(), epilogues);
  std::vector<uint16_t> output(s.images * channels * s.output_plane());
  std::vector<float> scratch(convolution.scratch_count());
  WorkTeam team(3);
  convolution.Run(Halves(data).data(), output.data(), scratch.data(), team);
  for (int64_t image = 0; image < s.images; ++image) {
    for (int64_t channel = 0; channel < channels; ++channel) {
      for (int64_t p = 0; p < s.output_plane(); ++p) {
        const float want = Finished(SumOf(s, data, weights, image, channel,
                                          p / s.x.output, p % s.x.output),
                                    epilogues[channel]);
        const int64_t at =
            s.pixels_first
                ? (image * s.output_plane() + p) * channels + channel
                : (image * channels + channel) * s.output_plane() + p;
        ASSERT_EQ(F16BitsToFloat(output[at]), want)
            << image << " " << channel << " " << p;
      }
    }
  }
}

WindowAxis Axis(int64_t input, int64_t kernel, int64_t stride, int64_t dilation,
                int64_t pad) {
  const int64_t window = (kernel - 1) * dilation + 1;
  return {.input = input,
          .kernel = kernel,
          .stride = stride,
          .dilation = dilation,
          .pad_begin = pad,
          .pad_end = pad,
          .output = (input + 2 * pad - window) / stride + 1};
}

TEST(DenseTest, WindowsOfAnyFormGiveTheirSums) {
  Check({.inputs = 3,
         .outputs = 5,
         .y = Axis(7, 3, 1, 1, 1),
         .x = Axis(9, 3, 1, 1, 1)});
  Check({.images = 2,
         .inputs = 4,
         .outputs = 13,
         .y = Axis(11, 5, 2, 1, 2),
         .x = Axis(37, 3, 3, 2, 4)});
  Check({.inputs = 8,
         .outputs = 25,
         .y = Axis(1, 1, 1, 1, 0),
         .x = Axis(301, 1, 1, 1, 0)});
  Check({.inputs = 2,
         .outputs = 3,
         .y = Axis(3, 2, 1, 1, 5),
         .x = Axis(2, 2, 2, 3, 6)});
}

TEST(DenseTest, GroupsReadTheirOwnChannels) {
  Check({.groups = 6,
         .inputs = 1,
         .outputs = 1,
         .y = Axis(8, 3, 2, 1, 1),
         .x = Axis(8, 3, 2, 1, 1)});
  Check({.images = 2,
         .groups = 3,
         .inputs = 2,
         .outputs = 14,
         .y = Axis(6, 3, 1, 1, 1),
         .x = Axis(6, 3, 1, 1, 1)});
}

// One output of so many inputs, whose products with the first weights are
// given.
float OneSum(const std::vector<float>& products, const DenseSums& sums,
             const HalfEpilogue& epilogue = {}) {
  DenseShape shape;
  shape.inputs = static_cast<int64_t>(products.size());
  const std::vector<float> ones(products.size(), 1.0f);
  const DenseConvolution convolution(shape, ones.data(), {epilogue}, sums);
  std::vector<float> scratch(convolution.scratch_count());
  const std::vector<uint16_t> input = Halves(products);
  uint16_t output = 0;
  WorkTeam team(1);
  convolution.Run(input.data(), &output, scratch.data(), team);
  return F16BitsToFloat(output);
}

TEST(DenseTest, SumsAreRoundedAsAsked) {
  // Above 2048, f16 has even numbers only; halves go to multiples of 4.
  const std::vector<float> products = {2048, 1, 1, 1};
  EXPECT_EQ(OneSum(products, {}), 2052);  // 2051
  EXPECT_EQ(OneSum(products, {.inputs_at_once = 4}), 2052);
  EXPECT_EQ(OneSum(products, {.inputs_at_once = 2}), 2050);  // 2048 + 2
  EXPECT_EQ(OneSum(products, {.inputs_at_once = 1}), 2048);
  EXPECT_EQ(OneSum(products, {.in_half = true}), 2048);
}

TEST(DenseTest, PartsAreScaledAndTheFirstIsShifted) {
  const HalfEpilogue epilogue = {.scale = 2, .shift = 10, .low = 0};
  EXPECT_EQ(OneSum({1, 2, 3, 4}, {.inputs_at_once = 2}, epilogue), 30);
  // The activation is behind all sums.
  EXPECT_EQ(OneSum({-9, -9, 9, 9}, {.inputs_at_once = 2}, epilogue), 10);
  EXPECT_EQ(OneSum({1, 2, 3, 4}, {.in_half = true}, epilogue), 30);
}

TEST(DenseTest, RowsOfAMatrixAreItsPixels) {
  Check({.inputs = 20,
         .outputs = 50,
         .x = Axis(1, 1, 1, 1, 0),
         .pixels_first = true});
  Check({.inputs = 33,
         .outputs = 7,
         .x = Axis(140, 1, 1, 1, 0),
         .pixels_first = true});
}

TEST(DenseTest, EpiloguesComeBeforeRounding) {
  const float infinity = std::numeric_limits<float>::infinity();
  const DenseShape shape = {.inputs = 3,
                            .outputs = 5,
                            .y = Axis(7, 3, 1, 1, 1),
                            .x = Axis(9, 3, 1, 1, 1)};
  Check(shape, {.low = 0});
  Check(shape, {.scale = 0.75f, .low = -1, .high = 1.5f});
  Check(shape, {.scale = 2, .shift = -1, .slope = 0.25f, .high = infinity});
}

TEST(DenseTest, NumbersAreRoundedToTheNearest) {
  const std::vector<float> numbers = {
      0.1f, -70000, 70000,      65519, 1e-8f, -0.0f, 2049, 2051, 1e-5f,
      3,    5e-8f,  1.0009765f, 7,     8,     9,     10,   11};
  std::vector<uint16_t> halves(numbers.size());
  FinishHalf(numbers.data(), {}, static_cast<int64_t>(numbers.size()),
             halves.data());
  std::vector<float> wide(numbers.size());
  WidenHalf(halves.data(), static_cast<int64_t>(halves.size()), wide.data());
  for (size_t i = 0; i < numbers.size(); ++i) {
    EXPECT_EQ(wide[i], F16BitsToFloat(FloatToF16Bits(numbers[i])))
        << numbers[i];
  }
}

TEST(DenseTest, SumsOfHalvesAreRoundedOnce) {
  const std::vector<float> a = Numbers(3000, 3), b = Numbers(3000, 4);
  std::vector<uint16_t> sums(3000);
  AddHalves(Halves(a).data(), Halves(b).data(), {.low = 0}, 3000, sums.data());
  for (size_t i = 0; i < sums.size(); ++i) {
    EXPECT_EQ(F16BitsToFloat(sums[i]), std::max(0.0f, a[i] + b[i])) << i;
  }
}

TEST(DenseTest, NaNStaysNaN) {
  const std::vector<float> numbers(20, std::nanf(""));
  std::vector<uint16_t> halves(20);
  FinishHalf(numbers.data(), {.low = 0, .high = 6}, 20, halves.data());
  for (const uint16_t half : halves) {
    EXPECT_TRUE(std::isnan(F16BitsToFloat(half)));
  }
}

}  // namespace
}  // namespace dovetail::host
