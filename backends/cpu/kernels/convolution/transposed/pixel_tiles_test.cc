#include "dovetail/backends/cpu/kernels/convolution/transposed/pixel_tiles.h"

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

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

void Check(const PixelTilesShape& s) {
  std::mt19937 generator(9);
  const int64_t plane = s.height * s.width;
  const auto input = Random(s.batch * s.inputs * plane, generator);
  const auto weights = Random(s.weights(), generator);
  const auto bias = Random(s.outputs, generator);
  std::vector<float> packed(s.weights());
  PackPixelTiles(s, weights.data(), packed.data());
  const int64_t height = s.height * s.rows, width = s.width * s.columns;
  // Behind the results nothing may be written.
  constexpr float kUntouched = 77;
  std::vector<float> output(s.batch * s.outputs * height * width + 32,
                            kUntouched);
  ConvolutionOperands operands;
  operands.input = input.data();
  operands.weights = packed.data();
  operands.epilogue.bias = bias.data();
  operands.epilogue.low = 0;
  operands.output = output.data();
  const int64_t half = s.row_count() / 2;
  ConvolvePixelTiles(s, operands, half, s.row_count() - half);
  ConvolvePixelTiles(s, operands, 0, half);
  const float* result = output.data();
  for (int64_t no = 0; no < s.batch * s.outputs; ++no) {
    const int64_t n = no / s.outputs, o = no % s.outputs;
    for (int64_t y = 0; y < height; ++y) {
      for (int64_t x = 0; x < width; ++x) {
        double want = bias[o];
        for (int64_t c = 0; c < s.inputs; ++c) {
          const int64_t tap =
              ((c * s.outputs + o) * s.rows + y % s.rows) * s.columns +
              x % s.columns;
          want += static_cast<double>(weights[tap]) *
                  input[(n * s.inputs + c) * plane + y / s.rows * s.width +
                        x / s.columns];
        }
        ASSERT_NEAR(*result++, std::max(want, 0.0), 1e-5)
            << n << " " << o << " " << y << " " << x;
      }
    }
  }
  for (; result != output.data() + output.size(); ++result) {
    ASSERT_EQ(*result, kUntouched);
  }
}

TEST(PixelTilesTest, AgreesWithThePlainSum) {
  if (!HasWideVectors()) GTEST_SKIP() << "no vectors of 8 floats";
  // Batch, inputs, outputs, height, width, rows and columns of a tile.
  for (const PixelTilesShape& shape : {PixelTilesShape{1, 36, 4, 5, 75, 3, 3},
                                       {2, 3, 1, 4, 83, 2, 2},
                                       {1, 5, 2, 3, 40, 1, 4},
                                       {2, 7, 3, 3, 5, 4, 2},
                                       {1, 4, 2, 2, 150, 3, 3},
                                       {1, 3, 1, 2, 140, 2, 2},
                                       {1, 3, 2, 2, 110, 1, 4}}) {
    Check(shape);
  }
}

}  // namespace
}  // namespace dovetail::cpu
