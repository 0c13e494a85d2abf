#include "dovetail/backends/cpu/kernels/linear/compressed_gemm.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "dovetail/backends/cpu/kernels/linear/gemm.h"
#include "dovetail/core/tensor/types/narrow_float.h"
#include "gtest/gtest.h"

namespace dovetail::cpu {
namespace {

std::vector<float> Random(int64_t count, float low, float high) {
  static std::mt19937 random(1);
  std::uniform_real_distribution<float> values(low, high);
  std::vector<float> result(count);
  for (float& x : result) x = values(random);
  return result;
}

struct Case {
  ElementType type;
  int64_t rows, depth, columns, group;
  bool has_zeros = false;
  bool transposed = true;  // how the source lies: [columns, depth]
};

// Weights in their source, and what they are as numbers [depth, columns].
struct Weights {
  explicit Weights(const Case& c) {
    const int64_t count = c.depth * c.columns, groups = c.depth / c.group;
    scales = Random(groups * c.columns, 0.5f, 1.5f);
    zeros = Random(groups * c.columns, 100, 150);
    for (float& zero : zeros) zero = std::round(zero);
    matrix.depth = c.depth;
    matrix.columns = c.columns;
    matrix.group = c.group;
    matrix.has_zeros = c.has_zeros;
    matrix.zero = static_cast<float>(CodeOffset(c.type));
    source.type = c.type;
    source.row_stride = c.transposed ? 1 : c.columns;
    source.column_stride = c.transposed ? c.depth : 1;
    if (c.type == ElementType::kF16) {
      FillF16(count);
    } else {
      FillCodes(c, count);
    }
    numbers.resize(count);
    for (int64_t k = 0; k < c.depth; ++k) {
      for (int64_t j = 0; j < c.columns; ++j) {
        numbers[k * c.columns + j] = NumberAt(c, k, j);
      }
    }
  }

  void FillF16(int64_t count) {
    matrix.form = WeightForm::kF16;
    for (const float x : Random(count, -1, 1)) half_floats.emplace_back(x);
    source.data = half_floats.data();
  }

  void FillCodes(const Case& c, int64_t count) {
    const bool is_4 = c.type == ElementType::kU4 || c.type == ElementType::kI4;
    matrix.form = is_4 ? WeightForm::kBits4 : WeightForm::kBits8;
    const std::vector<float> random =
        Random(is_4 ? (count + 1) / 2 : count, 0, 255);
    bytes.assign(random.begin(), random.end());
    source.data = bytes.data();
  }

  float NumberAt(const Case& c, int64_t k, int64_t j) const {
    const int64_t i = k * source.row_stride + j * source.column_stride;
    if (c.type == ElementType::kF16) return static_cast<float>(half_floats[i]);
    int code = 0;
    if (matrix.form == WeightForm::kBits4) {
      code = i % 2 == 0 ? bytes[i / 2] & 15 : bytes[i / 2] >> 4;
      if (c.type == ElementType::kI4 && code > 7) code -= 16;
    } else {
      code =
          c.type == ElementType::kI8 ? static_cast<int8_t>(bytes[i]) : bytes[i];
    }
    const int64_t g = k / c.group * c.columns + j;
    const float zero =
        c.has_zeros ? zeros[g] - static_cast<float>(CodeOffset(c.type)) : 0;
    return (static_cast<float>(code) - zero) * scales[g];
  }

  CompressedMatrix matrix;
  CodeSource source;
  std::vector<uint8_t> bytes;
  std::vector<Float16> half_floats;
  std::vector<float> scales, zeros, numbers;
};

// Memory for packed weights.
struct alignas(64) Line {
  uint8_t bytes[64];
};

// The greatest error as a part of the greatest sum.
double Error(const Case& c) {
  const Weights weights(c);
  const CompressedMatrix& b = weights.matrix;
  std::vector<Line> memory(b.Bytes() / 64 + 1);
  uint8_t* const packed = memory.front().bytes;
  const int64_t panels = GemmPanels(c.columns);
  const GroupSource scales = {weights.scales.data(), c.columns, 1};
  const GroupSource zeros = {weights.zeros.data(), c.columns, 1};
  for (const int64_t begin : {int64_t{0}, panels / 2}) {
    PackCompressedPanels(b, weights.source, scales, zeros, begin,
                         begin == 0 ? panels / 2 : panels, packed);
  }

  const std::vector<float> a = Random(c.rows * c.depth, -1, 2);
  std::vector<float> result(c.rows * c.columns, 99);
  CompressedProblem problem;
  problem.b = b;
  problem.packed_b = packed;
  problem.rows = c.rows;
  problem.a = a.data();
  problem.a_stride = c.depth;
  problem.c = result.data();
  problem.c_stride = c.columns;
  std::vector<float> thin(ThinRowsElements(b, c.rows));
  if (!thin.empty()) PrepareThinRows(problem, thin.data());
  problem.thin_rows = thin.data();
  for (int64_t row = 0; row < c.rows; row += kGemmRowsAtATime) {
    const int64_t end = std::min(c.rows, row + kGemmRowsAtATime);
    RunCompressedGemm(problem, row, end, 0, panels / 3);
    RunCompressedGemm(problem, row, end, panels / 3, panels);
  }

  double error = 0, most = 0;
  for (int64_t i = 0; i < c.rows; ++i) {
    for (int64_t j = 0; j < c.columns; ++j) {
      double sum = 0;
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
  for (const ElementType type : {ElementType::kU8, ElementType::kI8,
                                 ElementType::kU4, ElementType::kI4}) {
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
  for (const ElementType type : {ElementType::kU8, ElementType::kI4}) {
    for (const int64_t rows : {1, 4, 20}) {
      for (const int64_t group : {8, 32, 96, 320}) {
        for (const bool transposed : {false, true}) {
          const Case c = {type, rows, group * 5, 40, group, true, transposed};
          EXPECT_LT(Error(c), 8e-6) << ElementTypeName(type) << " " << rows
                                    << " groups of " << group;
        }
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
}

}  // namespace
}  // namespace dovetail::cpu
