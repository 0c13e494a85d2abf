#include "dovetail/backends/cpu/kernels/linear/narrow/unpacked_product.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "dovetail/backends/cpu/kernels/common/bf16_rows.h"
#include "dovetail/backends/cpu/kernels/linear/compressed_example.h"
#include "dovetail/backends/cpu/kernels/linear/narrow/bf16_product.h"
#include "dovetail/core/tensor/types/narrow_float.h"
#include "gtest/gtest.h"

namespace dovetail::cpu {
namespace {

float Rounded(float x) { return BFloat16(x); }

// Rows as the product takes them; those that pad them are NaN.
std::vector<uint16_t> Rows(const CompressedCase& c,
                           const std::vector<float>& a) {
  constexpr uint16_t kNan = 0x7fc0;
  const int64_t stride = RoundUp(c.depth, kBf16Depth);
  std::vector<uint16_t> rows(RoundUp(c.rows, kBf16Rows) * stride, kNan);
  for (int64_t i = 0; i < c.rows; ++i) {
    RoundRow(a.data() + i * c.depth, c.depth, stride, rows.data() + i * stride);
  }
  return rows;
}

// The greatest error as a part of the greatest sum, of a * b + bias + before.
double Error(const CompressedCase& c) {
  const CompressedExample weights(c);
  const std::vector<float> a = Random(c.rows * c.depth, -1, 2);
  const std::vector<float> bias = Random(c.columns, -1, 1);
  const std::vector<float> before = Random(c.rows * c.columns, -1, 1);
  const std::vector<Line> packed = Packed(weights);
  const std::vector<uint16_t> rows = Rows(c, a);
  std::vector<float> result(c.rows * c.columns, 99);
  UnpackedProblem problem;
  problem.b = weights.matrix;
  problem.packed_b = packed.front().bytes;
  problem.rows = c.rows;
  problem.a = rows.data();
  problem.a_stride = RoundUp(c.depth, kBf16Depth);
  problem.bias = bias.data();
  problem.before = {before.data(), c.columns};
  problem.c = result.data();
  problem.c_stride = c.columns;
  const int64_t panels = GemmPanels(c.columns);
  for (int64_t row = 0; row < c.rows; row += kUnpackedRowsAtATime) {
    const int64_t end = std::min(c.rows, row + kUnpackedRowsAtATime);
    RunUnpackedProduct(problem, row, end, 0, panels / 3);
    RunUnpackedProduct(problem, row, end, panels / 3, panels);
  }
  double error = 0, most = 0;
  for (int64_t i = 0; i < c.rows; ++i) {
    for (int64_t j = 0; j < c.columns; ++j) {
      double sum = double{bias[j]} + before[i * c.columns + j];
      for (int64_t k = 0; k < c.depth; ++k) {
        sum += double{Rounded(a[i * c.depth + k])} *
               Rounded(weights.numbers[k * c.columns + j]);
      }
      error = std::max(error, std::abs(sum - result[i * c.columns + j]));
      most = std::max(most, std::abs(sum));
    }
  }
  return error / most;
}

class UnpackedProductTest : public ::testing::Test {
  void SetUp() override {
    if (HasUnpackedProducts()) return;
    GTEST_SKIP() << "the processor, or the limit of instruction sets, has no "
                    "tiles of bf16";
  }
};

// A number in the middle of two of bf16 may be rounded the other way, which is
// the whole sum where the depth is 1.
constexpr double kNear = 1e-2;

TEST_F(UnpackedProductTest, OfOneScaleAColumn) {
  for (const ElementType type :
       {ElementType::kU8, ElementType::kI8, ElementType::kU4, ElementType::kI4,
        ElementType::kU2, ElementType::kNf4, ElementType::kF16}) {
    for (const int64_t rows : {1, 16, 17, 67, 300}) {
      for (const int64_t depth : {1, 37, 192, 700}) {
        const bool zeros = IsInteger(type) && depth == 37;
        EXPECT_LT(Error({type, rows, depth, 75, depth, zeros, true}), kNear)
            << ElementTypeName(type) << " " << rows << " x " << depth;
      }
    }
  }
}

TEST_F(UnpackedProductTest, OfGroups) {
  for (const ElementType type :
       {ElementType::kU8, ElementType::kI4, ElementType::kU2}) {
    for (const int64_t group : {16, 32, 96, 320}) {
      const bool transposed = group == 32;
      EXPECT_LT(Error({type, 50, group * 5, 40, group, true, transposed}),
                kNear)
          << ElementTypeName(type) << " groups of " << group;
    }
  }
}

}  // namespace
}  // namespace dovetail::cpu
