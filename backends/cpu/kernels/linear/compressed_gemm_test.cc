#include "dovetail/backends/cpu/kernels/linear/compressed_gemm.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <vector>

#include "dovetail/backends/cpu/kernels/linear/gemm.h"
#include "dovetail/core/tensor/types/narrow_float.h"
#include "dovetail/core/tensor/types/packing.h"
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

WeightForm FormOf(ElementType type) {
  if (type == ElementType::kF16) return WeightForm::kF16;
  if (IsFloat(type)) return WeightForm::kCodeBook;
  const int bits = BitWidth(type);
  return bits == 2   ? WeightForm::kBits2
         : bits == 4 ? WeightForm::kBits4
                     : WeightForm::kBits8;
}

// Weights in their source, and what they are as numbers [depth, columns].
struct Weights {
  explicit Weights(const Case& c) {
    const int64_t count = c.depth * c.columns, groups = c.depth / c.group;
    scales = Random(groups * c.columns, 0.5f, 1.5f);
    const auto codes = static_cast<float>(1 << std::min(8, BitWidth(c.type)));
    zeros = Random(groups * c.columns, codes * 0.2f, codes * 0.8f);
    for (float& zero : zeros) zero = std::round(zero);
    matrix.form = FormOf(c.type);
    if (matrix.form == WeightForm::kCodeBook) matrix.book = CodeBookOf(c.type);
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
      FillCodes(count);
    }
    numbers.resize(count);
    for (int64_t k = 0; k < c.depth; ++k) {
      for (int64_t j = 0; j < c.columns; ++j) {
        numbers[k * c.columns + j] = NumberAt(c, k, j);
      }
    }
  }

  void FillF16(int64_t count) {
    for (const float x : Random(count, -1, 1)) half_floats.emplace_back(x);
    source.data = half_floats.data();
  }

  void FillCodes(int64_t count) {
    const std::vector<float> random =
        Random(ByteSize(source.type, count).value(), 0, 255.9f);
    bytes.assign(random.begin(), random.end());
    source.data = bytes.data();
  }

  float NumberAt(const Case& c, int64_t k, int64_t j) const {
    const int64_t i = k * source.row_stride + j * source.column_stride;
    if (c.type == ElementType::kF16) return static_cast<float>(half_floats[i]);
    const int64_t g = k / c.group * c.columns + j;
    const float zero =
        c.has_zeros ? zeros[g] - static_cast<float>(CodeOffset(c.type)) : 0;
    return (CodeAt(c.type, i) - zero) * scales[g];
  }

  float CodeAt(ElementType type, int64_t i) const {
    if (type == ElementType::kI8) return static_cast<int8_t>(bytes[i]);
    if (type == ElementType::kU8) return bytes[i];
    const uint8_t bits = LoadPacked(type, bytes.data(), i);
    if (type == ElementType::kNf4) return Nf4BitsToFloat(bits);
    if (type == ElementType::kF4E2M1) return F4E2M1BitsToFloat(bits);
    return PackedBitsToInt(type, bits);
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

std::vector<float> Product(const Case& c, const Weights& weights,
                           const std::vector<float>& a,
                           const Added* added = nullptr) {
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

  std::vector<float> result(c.rows * c.columns, 99);
  CompressedProblem problem;
  problem.b = b;
  problem.packed_b = packed;
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
  const Weights weights(c);
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
          EXPECT_LT(Error(c), 8e-6) << ElementTypeName(type) << " " << rows
                                    << " groups of " << group;
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
    Weights weights(c);
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
