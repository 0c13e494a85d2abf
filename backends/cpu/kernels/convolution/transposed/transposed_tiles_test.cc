#include "dovetail/backends/cpu/kernels/convolution/transposed/transposed_tiles.h"

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "dovetail/backends/cpu/kernels/common/wide_vectors.h"
#include "gtest/gtest.h"

namespace dovetail::cpu {
namespace {

constexpr int64_t kLanes = TransposedTilesShape::kLanes;

std::vector<float> Random(int64_t count, std::mt19937& generator) {
  std::uniform_real_distribution<float> values(-1, 1);
  std::vector<float> numbers(count);
  for (float& number : numbers) number = values(generator);
  return numbers;
}

// Channel c of a pixel of a tensor in blocks.
int64_t PlaceOf(int64_t image, int64_t blocks, int64_t plane, int64_t c,
                int64_t pixel) {
  return ((image * blocks + c / kLanes) * plane + pixel) * kLanes + c % kLanes;
}

void Check(const TransposedTilesShape& s) {
  std::mt19937 generator(5);
  const int64_t plane = s.height * s.width, results = plane * s.taps();
  const auto input =
      Random(s.batch * s.input_blocks() * plane * kLanes, generator);
  const auto weights = Random(s.inputs * s.outputs * s.taps(), generator);
  const auto bias = Random(s.output_blocks() * kLanes, generator);
  std::vector<float> memory(s.packed_weights() + kLanes);
  const size_t misplaced = reinterpret_cast<uintptr_t>(memory.data()) % 32;
  float* const packed = memory.data() + (32 - misplaced) / sizeof(float);
  PackTransposedTiles(s, weights.data(), packed);
  std::vector<float> output(s.batch * s.output_blocks() * results * kLanes, 77);
  ConvolutionOperands operands;
  operands.input = input.data();
  operands.weights = packed;
  operands.epilogue.bias = bias.data();
  operands.epilogue.low = 0;
  operands.output = output.data();
  const int64_t half = s.items() / 2;
  ConvolveTransposedTiles(s, operands, half, s.items() - half);
  ConvolveTransposedTiles(s, operands, 0, half);
  for (int64_t n = 0; n < s.batch; ++n) {
    for (int64_t o = 0; o < s.outputs; ++o) {
      for (int64_t i = 0; i < results; ++i) {
        const int64_t y = i / (s.width * s.columns);
        const int64_t x = i % (s.width * s.columns);
        const int64_t pixel = y / s.rows * s.width + x / s.columns;
        double want = bias[o];
        for (int64_t c = 0; c < s.inputs; ++c) {
          const int64_t tap =
              ((c * s.outputs + o) * s.rows + y % s.rows) * s.columns +
              x % s.columns;
          want += static_cast<double>(weights[tap]) *
                  input[PlaceOf(n, s.input_blocks(), plane, c, pixel)];
        }
        ASSERT_NEAR(output[PlaceOf(n, s.output_blocks(), results, o, i)],
                    std::max(want, 0.0), 1e-5)
            << n << " " << o << " " << y << " " << x;
      }
    }
  }
}

TEST(TransposedTilesTest, AgreesWithThePlainSum) {
  if (!HasWideVectors()) GTEST_SKIP() << "no vectors of 8 floats";
  // Batch, inputs, outputs, height, width, rows and columns of a tile.
  for (const TransposedTilesShape& shape :
       {TransposedTilesShape{1, 16, 8, 3, 7, 2, 2},
        {2, 24, 16, 2, 13, 2, 2},
        {1, 8, 24, 4, 9, 2, 2},
        {1, 13, 30, 3, 5, 3, 2},
        {1, 5, 44, 2, 17, 1, 4},
        {1, 32, 7, 1, 1, 2, 3}}) {
    Check(shape);
  }
}

}  // namespace
}  // namespace dovetail::cpu
