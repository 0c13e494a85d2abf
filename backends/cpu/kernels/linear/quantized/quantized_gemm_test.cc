#include "dovetail/backends/cpu/kernels/linear/quantized/quantized_gemm.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <utility>
#include <vector>

#include "dovetail/backends/cpu/kernels/linear/gemm.h"
#include "dovetail/core/tensor/types/packing.h"
#include "gtest/gtest.h"

namespace dovetail::cpu {
namespace {

// Memory for packed weights and rows.
struct alignas(64) Line {
  uint8_t bytes[64];
};

std::vector<float> Random(int64_t count, float low, float high) {
  static std::mt19937 random(1);
  std::uniform_real_distribution<float> values(low, high);
  std::vector<float> result(count);
  for (float& x : result) x = values(random);
  return result;
}

struct Case {
  int bits;
  int64_t rows, depth, columns, group;  // of the matrix
  int64_t together;                     // elements of rows that share a scale
  bool has_zeros = false;
};

ElementType TypeOf(int bits) {
  return bits == 2   ? ElementType::kU2
         : bits == 4 ? ElementType::kU4
                     : ElementType::kU8;
}

// A matrix of random codes, scales and zeros.
struct Weights {
  explicit Weights(const Case& c) {
    const int64_t numbers = c.depth / c.group * c.columns;
    scales = Random(numbers, 0.5f, 1.5f);
    const auto codes = static_cast<float>(1 << c.bits);
    zeros = Random(numbers, codes * 0.2f, codes * 0.8f);
    matrix.form = c.bits == 2   ? WeightForm::kBits2
                  : c.bits == 4 ? WeightForm::kBits4
                                : WeightForm::kBits8;
    matrix.depth = c.depth;
    matrix.columns = c.columns;
    matrix.group = c.group;
    matrix.has_zeros = c.has_zeros;
    matrix.zero = std::floor(codes / 2);
    const ElementType type = TypeOf(c.bits);
    const std::vector<float> random =
        Random(ByteSize(type, c.depth * c.columns).value(), 0, 255.9f);
    bytes.assign(random.begin(), random.end());
    packed.resize(matrix.Bytes() / 64 + 1);
    const CodeSource source = {bytes.data(), type, 1, c.depth};
    PackCompressedPanels(matrix, source, {scales.data(), c.columns, 1},
                         {zeros.data(), c.columns, 1}, 0, GemmPanels(c.columns),
                         packed.front().bytes);
  }

  double At(int64_t k, int64_t j) const {
    const int64_t i = j * matrix.depth + k;
    const ElementType type = TypeOf(32 / static_cast<int>(matrix.RowsInUnit()));
    const double code =
        type == ElementType::kU8 ? bytes[i] : LoadPacked(type, bytes.data(), i);
    const int64_t g = k / matrix.group * matrix.columns + j;
    return (code - (matrix.has_zeros ? zeros[g] : matrix.zero)) * scales[g];
  }

  CompressedMatrix matrix;
  std::vector<uint8_t> bytes;
  std::vector<float> scales, zeros;
  std::vector<Line> packed;
};

// bias, before: as in QuantizedProblem.
std::vector<float> Product(const Case& c, const Weights& weights,
                           const std::vector<float>& a,
                           const float* bias = nullptr,
                           const float* before = nullptr) {
  const QuantizedRowLayout layout(weights.matrix, c.together);
  std::vector<Line> rows(c.rows * layout.stride / 64);
  std::fill_n(rows.front().bytes, c.rows * layout.stride, uint8_t{0x55});
  const int64_t half = c.rows / 2, panels = GemmPanels(c.columns);
  std::vector<float> result(c.rows * c.columns, 99);
  QuantizedProblem problem;
  problem.b = weights.matrix;
  problem.packed_b = weights.packed.front().bytes;
  problem.group = c.together;
  problem.rows = rows.front().bytes;
  problem.c = result.data();
  problem.c_stride = c.columns;
  problem.bias = bias;
  problem.before = {before, c.columns, 1};
  for (const auto& [begin, end] :
       {std::pair(int64_t{0}, half), std::pair(half, c.rows)}) {
    QuantizeRows(weights.matrix, layout, a.data(), c.depth, begin, end,
                 rows.front().bytes);
    RunQuantizedGemm(problem, begin, end, 0, panels / 3);
    RunQuantizedGemm(problem, begin, end, panels / 3, panels);
  }
  return result;
}

// Rows as QuantizedRowLayout says they are rounded, and how far the sum of
// products with numbers of magnitude 1 may be from the exact one.
struct Rounded {
  Rounded(const Case& c, const CompressedMatrix& b, const std::vector<float>& a)
      : rows(a.size()), steps(a.size()) {
    const QuantizedRowLayout layout(b, c.together);
    const int64_t together = layout.scale_units * layout.unit;
    for (int64_t begin = 0; begin < std::ssize(a);) {
      const int64_t in_group = begin % c.group;
      const int64_t end =
          begin + std::min(together - in_group % together, c.group - in_group);
      float most = 0;
      for (int64_t i = begin; i < end; ++i) {
        most = std::max(most, std::abs(a[i]));
      }
      for (int64_t i = begin; i < end; ++i) {
        const float step = most * (1 / 127.0f);
        const double code =
            most == 0 ? 0 : std::nearbyint(double{a[i]} * (127 / most));
        rows[i] = code * step;
        steps[i] = step;
      }
      begin = end;
    }
  }
  std::vector<double> rows, steps;
};

// How far a product is from that of the rounded rows, as a part of the greatest
// sum of magnitudes; and whether it is as near to the exact product as
// rounding to the nearest step allows.
struct Errors {
  double of_rounded = 0;
  bool is_within_steps = true;
};

Errors ErrorsOf(const Case& c, const std::vector<float>& a) {
  const Weights weights(c);
  const Rounded rounded(c, weights.matrix, a);
  const std::vector<float> result = Product(c, weights, a);
  Errors errors;
  double most = 0;
  for (int64_t i = 0; i < c.rows; ++i) {
    for (int64_t j = 0; j < c.columns; ++j) {
      double sum = 0, exact = 0, bound = 0, magnitude = 0;
      for (int64_t k = 0; k < c.depth; ++k) {
        const double w = weights.At(k, j);
        const int64_t at = i * c.depth + k;
        sum += rounded.rows[at] * w;
        exact += a[at] * w;
        bound += rounded.steps[at] / 2 * std::abs(w);
        magnitude += std::abs(rounded.rows[at] * w);
      }
      const double got = result[i * c.columns + j];
      most = std::max(most, magnitude);
      errors.of_rounded = std::max(errors.of_rounded, std::abs(got - sum));
      if (!(std::abs(got - exact) <= bound * 1.001 + magnitude * 1e-5)) {
        errors.is_within_steps = false;
      }
    }
  }
  errors.of_rounded /= most;
  return errors;
}

void ExpectExact(const Case& c) {
  const Errors errors = ErrorsOf(c, Random(c.rows * c.depth, -1, 2));
  EXPECT_LT(errors.of_rounded, 1e-6)
      << c.bits << " bits, " << c.rows << " x " << c.depth << " x " << c.columns
      << ", groups of " << c.group << " and " << c.together << ", zeros "
      << c.has_zeros;
  EXPECT_TRUE(errors.is_within_steps) << c.bits << " bits, " << c.together;
}

class QuantizedGemmTest : public testing::Test {
  void SetUp() override {
    if (HasQuantizedGemm()) return;
    GTEST_SKIP() << "the processor, or the limit, has no dot products of bytes";
  }
};

TEST_F(QuantizedGemmTest, MultipliesRoundedRowsByOneScaleAColumn) {
  for (const int bits : {2, 4, 8}) {
    for (const int64_t rows : {1, 2, 3, 4, 5, 6, 7, 13, 40}) {
      for (const int64_t depth : {1, 37, 256, 700}) {
        for (const bool zeros : {false, true}) {
          ExpectExact({bits, rows, depth, 75, depth, 32, zeros});
        }
      }
    }
  }
}

TEST_F(QuantizedGemmTest, MultipliesRoundedRowsByGroups) {
  for (const int bits : {2, 4, 8}) {
    for (const int64_t group : {16, 32, 96, 320}) {
      for (const int64_t together : {4, 32, 48, 1000}) {
        ExpectExact({bits, 9, group * 5, 40, group, together, true});
      }
    }
  }
}

TEST_F(QuantizedGemmTest, SharesScalesInGroupsOfAnySize) {
  for (const int bits : {2, 4, 8}) {
    for (const int64_t together :
         {int64_t{1}, int64_t{20}, int64_t{64}, int64_t{256}, int64_t{300},
          std::numeric_limits<int64_t>::max()}) {
      ExpectExact({bits, 5, 1500, 33, 1500, together});
    }
  }
}

// Sums of whole rows as deep as these would not fit into 32 bits.
TEST_F(QuantizedGemmTest, OverflowsNowhere) {
  const int64_t depth = 140000;
  const Case c = {8, 2, depth, 3, depth, std::numeric_limits<int64_t>::max()};
  EXPECT_LT(ErrorsOf(c, std::vector<float>(2 * depth, 1)).of_rounded, 1e-6);
}

TEST_F(QuantizedGemmTest, AddsABiasAndAMatrix) {
  for (const int64_t columns : {32, 75}) {
    const Case c = {8, 13, 64, columns, 64, 32};
    const Weights weights(c);
    const std::vector<float> a = Random(c.rows * c.depth, -1, 1);
    const std::vector<float> bias = Random(columns, -9, 9),
                             before = Random(c.rows * columns, -9, 9);
    const std::vector<float> product = Product(c, weights, a);
    const std::vector<float> with_bias = Product(c, weights, a, bias.data());
    const std::vector<float> with_both =
        Product(c, weights, a, bias.data(), before.data());
    for (int64_t i = 0; i < std::ssize(product); ++i) {
      EXPECT_EQ(with_bias[i], product[i] + bias[i % columns]);
      EXPECT_EQ(with_both[i], with_bias[i] + before[i]);
    }
  }
}

TEST_F(QuantizedGemmTest, RowsOfZerosGiveZeros) {
  const Case c = {8, 3, 64, 40, 64, 32};
  std::vector<float> a(c.rows * c.depth);
  for (int64_t k = 0; k < c.depth; ++k) a[c.depth + k] = 1e-38f;
  for (const float x : Product(c, Weights(c), a)) EXPECT_EQ(x, 0);
}

TEST_F(QuantizedGemmTest, WhatIsNotFiniteStaysInItsRow) {
  const Case c = {4, 3, 64, 40, 64, 32};
  for (const float bad : {std::numeric_limits<float>::infinity(),
                          std::numeric_limits<float>::quiet_NaN()}) {
    std::vector<float> a = Random(c.rows * c.depth, -1, 1);
    a[c.depth + 40] = bad;
    const std::vector<float> result = Product(c, Weights(c), a);
    for (int64_t i = 0; i < std::ssize(result); ++i) {
      EXPECT_EQ(std::isfinite(result[i]), i / c.columns != 1) << i;
    }
  }
}

// ---- Rows alone, which need no dot products ----

TEST(QuantizedRowsTest, CodesScalesAndSumsLieWhereTheLayoutSays) {
  for (const int bits : {2, 4, 8}) {
    const Case c = {bits, 2, 96, 8, 48, 16};
    const Weights weights(c);
    const std::vector<float> a = Random(c.rows * c.depth, -1, 1);
    const Rounded rounded(c, weights.matrix, a);
    const QuantizedRowLayout layout(weights.matrix, c.together);
    EXPECT_EQ(layout.stride % 64, 0);
    EXPECT_EQ(layout.scales, 6);
    EXPECT_EQ(layout.segments, 2);
    std::vector<Line> rows(c.rows * layout.stride / 64);
    QuantizeRows(weights.matrix, layout, a.data(), c.depth, 0, c.rows,
                 rows.front().bytes);
    for (int64_t row = 0; row < c.rows; ++row) {
      const uint8_t* const at = rows.front().bytes + row * layout.stride;
      const auto* codes = reinterpret_cast<const int8_t*>(at);
      const auto* scales =
          reinterpret_cast<const float*>(at + layout.scales_at);
      const auto* sums = reinterpret_cast<const float*>(at + layout.sums_at);
      const int64_t parts = layout.unit / 4;
      double sum = 0;
      for (int64_t k = 0; k < c.depth; ++k) {
        const int64_t place = k % layout.unit;
        const int64_t code =
            codes[k - place + place % parts * 4 + place / parts];
        const double number = static_cast<double>(code) * scales[k / 16];
        const int64_t i = row * c.depth + k;
        EXPECT_NEAR(number, a[i], rounded.steps[i] * 0.5001) << bits;
        sum += number;
        if (k % 48 != 47) continue;
        EXPECT_NEAR(sums[k / 48], sum, 1e-5) << bits;
        sum = 0;
      }
    }
  }
}

TEST(QuantizedRowsTest, CodesThatPadTheLastUnitAreZeros) {
  for (const int bits : {2, 4, 8}) {
    const Case c = {bits, 1, 33, 8, 33, 32};
    const Weights weights(c);
    const QuantizedRowLayout layout(weights.matrix, c.together);
    std::vector<Line> rows(layout.stride / 64);
    uint8_t* const codes = rows.front().bytes;
    std::fill_n(codes, layout.stride, uint8_t{0x55});
    const std::vector<float> a(c.depth, 1);
    QuantizeRows(weights.matrix, layout, a.data(), c.depth, 0, 1, codes);
    // Of the last unit, the first one stands for the only element.
    EXPECT_EQ(codes[32], 127) << bits;
    for (int64_t i = 33; i < layout.units * layout.unit; ++i) {
      EXPECT_EQ(codes[i], 0) << bits << " " << i;
    }
  }
}

TEST(QuantizedRowsTest, OnlyIntegersHaveCodes) {
  CompressedMatrix b;
  for (const auto& [form, bits] :
       {std::pair(WeightForm::kBits2, 2), std::pair(WeightForm::kBits4, 4),
        std::pair(WeightForm::kBits8, 8), std::pair(WeightForm::kCodeBook, 0),
        std::pair(WeightForm::kF16, 0)}) {
    b.form = form;
    EXPECT_EQ(BitsOfCodes(b), bits);
  }
}

}  // namespace
}  // namespace dovetail::cpu
