#include "dovetail/backends/cpu/kernels/convolution/depthwise/depthwise_tiles.h"

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "gtest/gtest.h"

namespace dovetail::cpu {
namespace {

std::vector<float> Random(int64_t count, std::mt19937& generator) {
  std::uniform_real_distribution<float> values(-1, 1);
  std::vector<float> numbers(count);
  for (float& number : numbers) number = values(generator);
  return numbers;
}

// Where channel c of a pixel lies.
int64_t At(const DepthwiseTilesShape& s, int64_t pixels, int64_t n, int64_t c,
           int64_t pixel) {
  if (!s.is_blocked) return (n * pixels + pixel) * s.channels + c;
  const int64_t lanes = DepthwiseTiles::Lanes();
  const int64_t blocks = (s.channels + lanes - 1) / lanes;
  return ((n * blocks + c / lanes) * pixels + pixel) * lanes + c % lanes;
}

double Sum(const DepthwiseTilesShape& s, const std::vector<float>& input,
           const std::vector<float>& weights, int64_t n, int64_t channel,
           int64_t y, int64_t x) {
  double sum = 0;
  for (int64_t r = 0; r < s.rows.kernel; ++r) {
    for (int64_t c = 0; c < s.columns.kernel; ++c) {
      const int64_t iy = y * s.rows.stride - s.rows.pad + r;
      const int64_t ix = x * s.columns.stride - s.columns.pad + c;
      if (iy < 0 || ix < 0 || iy >= s.rows.input || ix >= s.columns.input) {
        continue;
      }
      const int64_t at = At(s, s.rows.input * s.columns.input, n, channel,
                            iy * s.columns.input + ix);
      sum += static_cast<double>(input[at]) *
             weights[(channel * s.rows.kernel + r) * s.columns.kernel + c];
    }
  }
  return sum;
}

void Check(const DepthwiseTilesShape& s, int threads, bool with_residual) {
  std::mt19937 generator(3);
  const int64_t padded = (s.channels + 15) / 16 * 16;
  const int64_t pixels = s.rows.output * s.columns.output;
  const auto input =
      Random(s.batch * padded * s.rows.input * s.columns.input, generator);
  const auto weights =
      Random(s.channels * s.rows.kernel * s.columns.kernel, generator);
  const auto bias = Random(padded, generator);
  const auto slope = Random(padded, generator);
  const auto residual = Random(s.batch * padded * pixels, generator);
  const DepthwiseTiles kernel(s, threads);
  std::vector<float> packed(kernel.weights_floats());
  kernel.PackWeights(weights.data(), packed.data());
  std::vector<float> output(s.batch * padded * pixels, 9);
  std::vector<float> scratch(kernel.scratch_floats());
  ConvolutionOperands operands;
  operands.input = input.data();
  operands.weights = packed.data();
  operands.epilogue.bias = bias.data();
  if (with_residual) operands.epilogue.residual = residual.data();
  if (!with_residual) operands.epilogue.slope = slope.data();
  operands.epilogue.low = -2;
  operands.epilogue.high = 2.5f;
  operands.output = output.data();
  const int64_t half = kernel.piece_count() / 2;
  kernel.Run(operands, 0, half, scratch.data());
  kernel.Run(operands, half, kernel.piece_count() - half, scratch.data());
  for (int64_t i = 0; i < s.batch * s.channels * pixels; ++i) {
    const int64_t pixel = i % pixels, c = i / pixels % s.channels;
    const int64_t n = i / pixels / s.channels;
    const int64_t at = At(s, pixels, n, c, pixel);
    const int64_t y = pixel / s.columns.output, x = pixel % s.columns.output;
    double want = Sum(s, input, weights, n, c, y, x) + bias[c];
    if (with_residual) want += residual[at];
    if (!with_residual && want < 0) want *= slope[c];
    want = std::clamp(want, -2.0, 2.5);
    ASSERT_NEAR(output[at], want, 3e-5)
        << n << " " << c << " " << y << " " << x;
  }
  if (!s.is_blocked) {  // nothing is written behind the last pixel
    const int64_t end = s.batch * s.channels * pixels;
    EXPECT_TRUE(std::all_of(output.begin() + end, output.end(),
                            [](float value) { return value == 9; }));
  }
}

// Paddings may be larger than windows, and leave some without any input.
WindowAxis RandomAxis(std::mt19937& generator) {
  const auto from = [&](int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(generator);
  };
  WindowAxis axis;
  axis.input = from(1, 24);
  axis.kernel = from(1, 15);
  axis.stride = from(1, 3);
  axis.pad = from(0, axis.kernel + 1);
  const int64_t behind =
      std::max(from(0, axis.kernel + 1), axis.kernel - axis.input - axis.pad);
  axis.output =
      (axis.input + axis.pad + behind - axis.kernel) / axis.stride + 1;
  return axis;
}

TEST(DepthwiseTilesTest, AgreesWithThePlainSum) {
  if (DepthwiseTiles::Lanes() == 0) GTEST_SKIP() << "no vectors of 8 floats";
  std::mt19937 generator(7);
  for (int i = 0; i < 120; ++i) {
    DepthwiseTilesShape shape;
    shape.batch = 1 + i % 2;
    shape.channels = std::uniform_int_distribution<int64_t>(1, 40)(generator);
    shape.rows = RandomAxis(generator);
    shape.columns = RandomAxis(generator);
    shape.is_blocked = i % 3 == 0;
    SCOPED_TRACE(testing::Message()
                 << "rows " << shape.rows.input << " kernel "
                 << shape.rows.kernel << " stride " << shape.rows.stride
                 << " columns " << shape.columns.input << " kernel "
                 << shape.columns.kernel << " stride " << shape.columns.stride);
    Check(shape, 1 + i % 5, i % 4 < 2);
    if (HasFatalFailure()) return;
  }
}

TEST(DepthwiseTilesTest, CutsLargePlanesIntoBandsThatFitACache) {
  if (DepthwiseTiles::Lanes() == 0) GTEST_SKIP() << "no vectors of 8 floats";
  DepthwiseTilesShape shape;
  shape.channels = 3;
  shape.rows = {300, 300, 7, 1, 1, 3};
  shape.columns = {400, 400, 7, 1, 1, 3};
  const DepthwiseTiles kernel(shape, 1);
  EXPECT_GT(kernel.piece_count(), 1);
  EXPECT_LT(kernel.scratch_floats(), 1 << 18);
  Check(shape, 1, true);
}

}  // namespace
}  // namespace dovetail::cpu
