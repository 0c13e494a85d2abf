#include "dovetail/backends/cpu/kernels/recurrent/narrow_product.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "dovetail/backends/cpu/kernels/recurrent/weight_codes.h"
#include "gtest/gtest.h"

namespace dovetail::cpu {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

// A vector of 64 bytes, so that all of it is aligned.
struct alignas(64) Line {
  uint8_t bytes[64];
};
using Lines = std::vector<Line>;
Lines LinesFor(int64_t bytes) { return Lines((bytes + 63) / 64); }

// Rows [rows, depth] times columns [columns, depth].
struct Problem {
  int64_t rows, depth, columns;
  std::vector<float> a, b;
};

Problem RandomProblem(int64_t rows, int64_t depth, int64_t columns,
                      bool has_codes) {
  std::mt19937 generator(static_cast<unsigned>(rows * 7 + depth));
  std::uniform_real_distribution<float> number(-2, 2);
  std::uniform_int_distribution<int> code(-127, 127);
  Problem problem{rows, depth, columns, {}, {}};
  for (int64_t i = 0; i < rows * depth; ++i) {
    problem.a.push_back(number(generator));
  }
  for (int64_t j = 0; j < columns; ++j) {
    const float scale = std::abs(number(generator)) + 0.01f;
    for (int64_t k = 0; k < depth; ++k) {
      problem.b.push_back(has_codes
                              ? static_cast<float>(code(generator)) * scale
                              : number(generator));
    }
  }
  return problem;
}

// Sums [rows, panels].
std::vector<float> Multiply(NarrowForm form, const Problem& problem) {
  const int64_t width = NarrowPanelWidth(form);
  const int64_t panels = (problem.columns + width - 1) / width;
  const int64_t panel_bytes = NarrowPanelBytes(form, problem.depth);
  Lines packed = LinesFor(panels * panel_bytes);
  for (int64_t p = 0; p < panels; ++p) {
    PackNarrowPanel(form, problem.b.data() + p * width * problem.depth,
                    std::min(width, problem.columns - p * width), problem.depth,
                    packed.data()->bytes + p * panel_bytes);
  }
  Lines rows = LinesFor(problem.rows * NarrowRowBytes(form, problem.depth));
  PrepareNarrowRows(form, problem.a.data(), problem.depth, problem.depth, 0,
                    problem.rows, rows.data());
  std::vector<float> sums(problem.rows * panels * width, kNan);
  NarrowProduct product;
  product.form = form;
  product.depth = problem.depth;
  product.rows = rows.data();
  product.panels = packed.data();
  product.sums = sums.data();
  product.sums_stride = panels * width;
  RunNarrowProduct(product, 0, problem.rows, 0, panels);
  return sums;
}

// The greatest error of a sum, as a part of what it would be if all elements of
// the row were the greatest one and all terms had one sign.
double ErrorOf(const Problem& problem, const std::vector<float>& sums) {
  const int64_t stride = static_cast<int64_t>(sums.size()) / problem.rows;
  double greatest = 0;
  for (int64_t r = 0; r < problem.rows; ++r) {
    const float* const a = problem.a.data() + r * problem.depth;
    for (int64_t j = 0; j < problem.columns; ++j) {
      const float* const b = problem.b.data() + j * problem.depth;
      double sum = 0, of_row = 0, of_column = 0;
      for (int64_t k = 0; k < problem.depth; ++k) {
        sum += static_cast<double>(a[k]) * b[k];
        of_row = std::max<double>(of_row, std::abs(a[k]));
        of_column += std::abs(b[k]);
      }
      const double error = std::abs(sums[r * stride + j] - sum);
      greatest = std::max(greatest, error / (of_row * of_column));
    }
  }
  return greatest;
}

struct Form {
  NarrowForm form;
  double tolerance;
};

class NarrowProductTest : public testing::TestWithParam<Form> {};

TEST_P(NarrowProductTest, IsAsExactAsItsForm) {
  const auto [form, tolerance] = GetParam();
  if (!HasNarrowProducts(form)) GTEST_SKIP() << "the processor has none";
  for (const int64_t rows : {1, 2, 3, 5, 7, 13}) {
    for (const int64_t depth : {1, 3, 16, 33, 130, 700}) {
      for (const int64_t columns : {5, 32, 70, 128}) {
        const Problem problem =
            RandomProblem(rows, depth, columns, IsOfCodes(form));
        EXPECT_LT(ErrorOf(problem, Multiply(form, problem)), tolerance)
            << rows << " rows, " << depth << " deep, " << columns;
      }
    }
  }
}

TEST_P(NarrowProductTest, KeepsRowsApart) {
  const auto [form, tolerance] = GetParam();
  if (!HasNarrowProducts(form)) GTEST_SKIP() << "the processor has none";
  Problem problem = RandomProblem(3, 40, 32, IsOfCodes(form));
  for (int64_t k = 0; k < 40; ++k) {
    problem.a[k] = 0;
    problem.a[80 + k] *= 1e6f;
  }
  problem.a[40 + 7] = kNan;
  const std::vector<float> sums = Multiply(form, problem);
  for (int64_t j = 0; j < 32; ++j) {
    EXPECT_EQ(sums[j], 0);
    EXPECT_TRUE(std::isnan(sums[32 + j]));
    EXPECT_TRUE(std::isfinite(sums[64 + j]));
  }
}

INSTANTIATE_TEST_SUITE_P(Forms, NarrowProductTest,
                         testing::Values(Form{NarrowForm::kBf16, 8e-3},
                                         Form{NarrowForm::kCodes16, 3e-5},
                                         Form{NarrowForm::kCodes24, 4e-7},
                                         Form{NarrowForm::kPairs, 4e-7},
                                         Form{NarrowForm::kPairs16, 3e-5}));

TEST(WeightCodesTest, FindsScalesOfIntegers) {
  const Problem problem = RandomProblem(1, 90, 50, true);
  EXPECT_TRUE(RowsHaveCodes(problem.b.data(), 50, 90));
  for (int64_t j = 0; j < 50; ++j) {
    const float* const row = problem.b.data() + j * 90;
    const float scale = ScaleOfCodes(row, 90);
    for (int64_t k = 0; k < 90; ++k) {
      const float code = std::round(row[k] / scale);
      EXPECT_LE(std::abs(code), 128);
      EXPECT_NEAR(code * scale, row[k], 1e-6 * 127 * scale);
    }
  }
}

TEST(WeightCodesTest, FindsNoneWhereThereIsNone) {
  const Problem floats = RandomProblem(1, 90, 2, false);
  EXPECT_FALSE(RowsHaveCodes(floats.b.data(), 2, 90));
  EXPECT_EQ(ScaleOfCodes(std::vector<float>{1, 2, 300}.data(), 3), 0);
  EXPECT_EQ(ScaleOfCodes(std::vector<float>{1, kNan, 3}.data(), 3), 0);
  EXPECT_EQ(ScaleOfCodes(std::vector<float>{0, 0}.data(), 2), 1);
  // 128 is no code, but -128 is.
  EXPECT_NE(ScaleOfCodes(std::vector<float>{-128, 127}.data(), 2), 0);
  EXPECT_NE(ScaleOfCodes(std::vector<float>{128, 127}.data(), 2), 0);
  EXPECT_EQ(ScaleOfCodes(std::vector<float>{128, -128, 127}.data(), 3), 0);
}

}  // namespace
}  // namespace dovetail::cpu
