#include "dovetail/backends/cpu/kernels/linear/compressed_gemm.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "dovetail/backends/cpu/kernels/linear/compressed_example.h"
#include "dovetail/backends/cpu/kernels/linear/gemm.h"
#include "dovetail/core/tensor/types/packing.h"
#include "gtest/gtest.h"

namespace dovetail::cpu {
namespace {

using Case = CompressedCase;

// What is added to a product, in rows of two elements more than it has.
struct Added {
  explicit Added(const Case& c)
      : stride(c.columns + 2),
        bias(Random(c.columns, -1, 1)),
        before(Random(c.rows * stride, -1, 1)) {}

  double At(int64_t row, int64_t column) const {
    return double{bias[column]} + before[row * stride + column];
  }

  int64_t stride;
  std::vector<float> bias, before;
};

std::vector<float> Product(const Case& c, const CompressedExample& weights,
                           const std::vector<float>& a,
                           const Added* added = nullptr) {
  const CompressedMatrix& b = weights.matrix;
  const std::vector<Line> packed = Packed(weights);
  const int64_t panels = GemmPanels(c.columns);
  std::vector<float> result(c.rows * c.columns, 99);
  CompressedProblem problem;
  problem.b = b;
  problem.packed_b = packed.front().bytes;
  problem.rows = c.rows;
  problem.a = a.data();
  problem.a_stride = c.depth;
  problem.c = result.data();
  problem.c_stride = c.columns;
  if (added != nullptr) {
    problem.bias = added->bias.data();
    problem.before = {added->before.data(), added->stride};
  }
  std::vector<float> thin(ThinRowsElements(b, c.rows));
  if (!thin.empty()) PrepareThinRows(problem, thin.data());
  problem.thin_rows = thin.data();
  for (int64_t row = 0; row < c.rows; row += kGemmRowsAtATime) {
    const int64_t end = std::min(c.rows, row + kGemmRowsAtATime);
    RunCompressedGemm(problem, row, end, 0, panels / 3);
    RunCompressedGemm(problem, row, end, panels / 3, panels);
  }
  return result;
}

// The greatest error as a part of the greatest sum. More than a few rows are
// added to something.
double Error(const Case& c) {
  const CompressedExample weights(c);
  const std::vector<float> a = Random(c.rows * c.depth, -1, 2);
  const Added added(c);
  const bool adds = c.rows > kMaxThinRows;
  const std::vector<float> result =
      Product(c, weights, a, adds ? &added : nullptr);
  double error = 0, most = 0;
  for (int64_t i = 0; i < c.rows; ++i) {
    for (int64_t j = 0; j < c.columns; ++j) {
      double sum = adds ? added.At(i, j) : 0;
      for (int64_t k = 0; k < c.depth; ++k) {
        sum += double{a[i * c.depth + k]} * weights.numbers[k * c.columns + j];
      }
      error = std::max(error, std::abs(sum - result[i * c.columns + j]));
      most = std::max(most, std::abs(sum));
    }
  }
  return error / most;
}

TEST(CompressedGemmTest, MultipliesByIntegersWithOneScaleAColumn) {
  for (const ElementType type :
       {ElementType::kU8, ElementType::kI8, ElementType::kU4, ElementType::kI4,
        ElementType::kU2, ElementType::kI2}) {
    for (const int64_t rows : {1, 2, 3, 4, 5, 6, 7, 13, 140}) {
      for (const int64_t depth : {1, 37, 256, 700}) {
        for (const bool zeros : {false, true}) {
          const Case c = {type, rows, depth, 75, depth, zeros, true};
          EXPECT_LT(Error(c), 8e-6) << ElementTypeName(type) << " " << rows
                                    << " x " << depth << " zeros " << zeros;
        }
      }
    }
  }
}

TEST(CompressedGemmTest, MultipliesByIntegersInGroups) {
  for (const ElementType type :
       {ElementType::kU8, ElementType::kI4, ElementType::kU2}) {
    for (const int64_t rows : {1, 4, 20}) {
      for (const int64_t group : {8, 32, 96, 320}) {
        if (type == ElementType::kU2 && group % 16 != 0) continue;
        for (const bool transposed : {false, true}) {
          const Case c = {type, rows, group * 5, 40, group, true, transposed};
          EXPECT_LT(Error(c), 8e-6)
              << ElementTypeName(type) << " " << rows << " groups of " << group;
        }
      }
    }
  }
}

TEST(CompressedGemmTest, MultipliesByCodeBooks) {
  for (const ElementType type : {ElementType::kNf4, ElementType::kF4E2M1}) {
    for (const int64_t rows : {1, 2, 3, 4, 5, 6, 7, 140}) {
      for (const int64_t depth : {1, 37, 700}) {
        const Case c = {type, rows, depth, 75, depth};
        EXPECT_LT(Error(c), 2e-6)
            << ElementTypeName(type) << " " << rows << " x " << depth;
      }
      for (const int64_t group : {8, 32, 320}) {
        const bool transposed = group == 32;
        const Case c = {type, rows, group * 5, 40, group, false, transposed};
        EXPECT_LT(Error(c), 2e-6)
            << ElementTypeName(type) << " " << rows << " groups of " << group;
      }
    }
  }
}

// One row that is 1 in one place reads a row of weights, which are exact.
TEST(CompressedGemmTest, LooksNumbersUpExactly) {
  for (const ElementType type : {ElementType::kNf4, ElementType::kF4E2M1}) {
    const std::array<float, 16> book = CodeBookOf(type);
    const Case c = {type, 1, 16, 64, 16};
    CompressedExample weights(c);
    std::fill(weights.scales.begin(), weights.scales.end(), 1.0f);
    for (int64_t k = 0; k < 16; ++k) {
      std::vector<float> a(16);
      a[k] = 1;
      const std::vector<float> row = Product(c, weights, a);
      for (int64_t j = 0; j < c.columns; ++j) {
        const uint8_t code =
            LoadPacked(type, weights.bytes.data(), j * c.depth + k);
        EXPECT_EQ(row[j], book[code]) << ElementTypeName(type);
      }
    }
  }
}

TEST(CompressedGemmTest, MultipliesByHalfFloats) {
  for (const int64_t rows : {1, 2, 6, 7, 200}) {
    for (const int64_t depth : {3, 64, 515}) {
      const Case c = {ElementType::kF16, rows, depth, 51, depth};
      EXPECT_LT(Error(c), 2e-6) << rows << " x " << depth;
    }
  }
}

TEST(CompressedMatrixTest, TakesTheBitsOfItsForm) {
  CompressedMatrix b;
  b.depth = 1024;
  b.columns = 64;
  b.group = 128;
  b.form = WeightForm::kBits4;
  EXPECT_EQ(b.Bytes(), 1024 * 64 / 2 + 8 * 64 * 4);
  b.has_zeros = true;
  EXPECT_EQ(b.Bytes(), 1024 * 64 / 2 + 2 * 8 * 64 * 4);
  b.form = WeightForm::kBits2;
  EXPECT_EQ(b.Bytes(), 1024 * 64 / 4 + 2 * 8 * 64 * 4);
  b.form = WeightForm::kCodeBook;
  EXPECT_EQ(b.Bytes(), 1024 * 64 / 2 + 2 * 8 * 64 * 4);
}

}  // namespace
}  // namespace dovetail::cpu
