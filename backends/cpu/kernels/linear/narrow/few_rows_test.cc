#include "dovetail/backends/cpu/kernels/linear/narrow/few_rows.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "dovetail/backends/cpu/kernels/linear/compressed_example.h"
#include "dovetail/backends/cpu/kernels/linear/narrow/bf16_product.h"
#include "dovetail/core/tensor/types/narrow_float.h"
#include "gtest/gtest.h"

namespace dovetail::cpu {
namespace {

struct FewRowsCase {
  int64_t rows, depth, columns, width;
  bool adds;
};

float Rounded(float x) { return BFloat16(x); }
uint16_t BitsOf(float x) { return BFloat16(x).bits; }

// b [depth, columns] in panels.
std::vector<uint32_t> Panels(const FewRowsCase& c,
                             const std::vector<float>& b) {
  const int64_t pairs = (c.depth + 1) / 2;
  const int64_t panels = (c.columns + c.width - 1) / c.width;
  std::vector<uint32_t> words(panels * pairs * c.width);
  for (int64_t k = 0; k < c.depth; ++k) {
    for (int64_t j = 0; j < c.columns; ++j) {
      const int64_t row = j / c.width * pairs + k / 2;
      words[row * c.width + j % c.width] |=
          uint32_t{BitsOf(b[k * c.columns + j])} << (k % 2 * 16);
    }
  }
  return words;
}

// The greatest error of c = a * b + bias + before.
double Error(const FewRowsCase& c) {
  const std::vector<float> a = Random(c.rows * c.depth, -1, 1);
  const std::vector<float> b = Random(c.depth * c.columns, -1, 1);
  const std::vector<float> bias = Random(c.columns, -1, 1);
  const std::vector<float> before = Random(c.rows * c.columns, -1, 1);
  const std::vector<uint32_t> words = Panels(c, b);
  const int64_t stride = RoundUp(c.depth, 2);
  std::vector<uint16_t> rows(c.rows * stride);
  for (int64_t i = 0; i < c.rows * c.depth; ++i) {
    rows[i / c.depth * stride + i % c.depth] = BitsOf(a[i]);
  }
  std::vector<float> result(c.rows * c.columns, 99);
  FewRowsProblem problem = {c.rows, c.depth, c.columns};
  problem.a = rows.data();
  problem.a_stride = stride;
  problem.b = words.data();
  problem.panels = {c.width, stride / 2 * c.width};
  problem.c = result.data();
  problem.c_stride = c.columns;
  if (c.adds) {
    problem.bias = bias.data();
    problem.before = {before.data(), c.columns};
  }
  const int64_t panels = (c.columns + c.width - 1) / c.width;
  MultiplyFewRows(problem, 0, panels / 2);
  MultiplyFewRows(problem, panels / 2, panels);
  double error = 0;
  for (int64_t i = 0; i < c.rows; ++i) {
    for (int64_t j = 0; j < c.columns; ++j) {
      double sum = c.adds ? bias[j] + before[i * c.columns + j] : 0;
      for (int64_t k = 0; k < c.depth; ++k) {
        sum +=
            double{Rounded(a[i * c.depth + k])} * Rounded(b[k * c.columns + j]);
      }
      error = std::max(error, std::abs(sum - result[i * c.columns + j]));
    }
  }
  return error;
}

TEST(FewRowsTest, AreMultipliedByPanelsOfAnyWidth) {
  if (!HasBf16Products()) {
    GTEST_SKIP() << "the processor, or the limit of instruction sets, has no "
                    "dot products of bf16";
  }
  for (int64_t rows = 1; rows <= kMaxFewRows; ++rows) {
    for (int64_t width = kBf16Columns; width <= kMaxBf16Width;
         width += kBf16Columns) {
      for (const int64_t depth : {1, 2, 3, 6, 64, 131}) {
        for (const bool adds : {false, true}) {
          EXPECT_LT(Error({rows, depth, 75, width, adds}), 2e-5)
              << rows << " rows, depth " << depth << ", panels of " << width;
        }
      }
    }
  }
}

}  // namespace
}  // namespace dovetail::cpu
