#include "dovetail/backends/cpu/kernels/convolution/depthwise/depthwise.h"

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "dovetail/backends/cpu/kernels/common/channel_block.h"

#include "dovetail/backends/cpu/kernels/common/wide_vectors.h"
#include "gtest/gtest.h"

namespace dovetail::cpu {
namespace {

std::vector<float> Random(int64_t count, std::mt19937& generator) {
  std::uniform_real_distribution<float> values(-1, 1);
  std::vector<float> numbers(count);
  for (float& number : numbers) number = values(generator);
  return numbers;
}

double Sum(const DepthwiseShape& s, const std::vector<float>& input,
           const std::vector<float>& weights, int64_t plane, int64_t y,
           int64_t x, int64_t lane) {
  double sum = 0;
  for (int64_t r = 0; r < s.rows.kernel; ++r) {
    for (int64_t c = 0; c < s.columns.kernel; ++c) {
      const int64_t iy = y * s.rows.stride - s.rows.pad + r * s.rows.dilation;
      const int64_t ix =
          x * s.columns.stride - s.columns.pad + c * s.columns.dilation;
      if (iy < 0 || ix < 0 || iy >= s.rows.input || ix >= s.columns.input) {
        continue;
      }
      const int64_t at = (plane * s.rows.input + iy) * s.columns.input + ix;
      const int64_t tap =
          (plane % s.blocks * s.rows.kernel + r) * s.columns.kernel + c;
      sum += static_cast<double>(input[at * kChannelBlock + lane]) *
             weights[tap * kChannelBlock + lane];
    }
  }
  return sum;
}

void Check(const DepthwiseShape& s, bool with_residual) {
  std::mt19937 generator(3);
  const int64_t planes = s.batch * s.blocks;
  const auto input = Random(
      planes * s.rows.input * s.columns.input * kChannelBlock, generator);
  const auto weights = Random(
      s.blocks * s.rows.kernel * s.columns.kernel * kChannelBlock, generator);
  const auto bias = Random(s.blocks * kChannelBlock, generator);
  const int64_t count = planes * s.rows.output * s.columns.output;
  const auto residual = Random(count * kChannelBlock, generator);
  std::vector<float> output(count * kChannelBlock);
  ConvolutionOperands operands;
  operands.input = input.data();
  operands.weights = weights.data();
  operands.epilogue.bias = bias.data();
  if (with_residual) operands.epilogue.residual = residual.data();
  const auto slope = Random(s.blocks * kChannelBlock, generator);
  if (!with_residual) operands.epilogue.slope = slope.data();
  operands.epilogue.low = -1;
  operands.epilogue.high = 1.5f;
  operands.output = output.data();
  // In two parts.
  const int64_t half = s.row_count() / 2;
  ConvolveDepthwiseRows(s, operands, 0, half);
  ConvolveDepthwiseRows(s, operands, half, s.row_count() - half);
  for (int64_t i = 0; i < count * kChannelBlock; ++i) {
    const int64_t lane = i % kChannelBlock, at = i / kChannelBlock;
    const int64_t x = at % s.columns.output;
    const int64_t y = at / s.columns.output % s.rows.output;
    const int64_t plane = at / s.columns.output / s.rows.output;
    double want = Sum(s, input, weights, plane, y, x, lane) +
                  bias[plane % s.blocks * kChannelBlock + lane];
    if (with_residual) want += residual[i];
    if (!with_residual && want < 0) {
      want *= slope[plane % s.blocks * kChannelBlock + lane];
    }
    want = std::clamp(want, -1.0, 1.5);
    ASSERT_NEAR(output[i], want, 1e-5) << plane << " " << y << " " << x;
  }
}

TEST(DepthwiseTest, AgreesWithThePlainSum) {
  if (!HasWideVectors()) GTEST_SKIP() << "no vectors of 8 floats";
  const std::vector<DepthwiseShape> shapes = {
      {1, 2, {10, 10, 3, 1, 1, 1}, {37, 37, 3, 1, 1, 1}},
      {2, 1, {20, 20, 3, 1, 8, 8}, {40, 40, 3, 1, 8, 8}},
      {1, 3, {9, 5, 3, 2, 1, 1}, {30, 10, 5, 3, 1, 2}},
      {1, 1, {5, 5, 3, 1, 24, 24}, {6, 6, 3, 1, 24, 24}},
      {1, 1, {7, 3, 5, 1, 1, 0}, {19, 15, 5, 1, 1, 0}},
  };
  for (const DepthwiseShape& shape : shapes) {
    Check(shape, false);
    Check(shape, true);
  }
}

}  // namespace
}  // namespace dovetail::cpu
