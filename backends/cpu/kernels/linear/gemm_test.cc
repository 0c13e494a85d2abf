#include "dovetail/backends/cpu/kernels/linear/gemm.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>
#include <utility>
#include <vector>

#include "dovetail/backends/cpu/kernels/linear/epilogue.h"
#include "gtest/gtest.h"

namespace dovetail::cpu {
namespace {

std::vector<float> Random(int64_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> values(-1, 1);
  std::vector<float> result(count);
  for (float& x : result) x = values(random);
  return result;
}

struct Sizes {
  int64_t rows, depth, columns;
};

// Both forms in which a matrix may lie in memory.
StridedMatrix Matrix(const std::vector<float>& data, int64_t rows,
                     int64_t columns, bool transposed) {
  if (transposed) return {data.data(), 1, rows};
  return {data.data(), columns, 1};
}

// The greatest error of all elements, with each row block and panel range
// computed on its own.
double Error(const Sizes& s, bool transpose_a, bool transpose_b) {
  const std::vector<float> a = Random(s.rows * s.depth, 1);
  const std::vector<float> b = Random(s.depth * s.columns, 2);
  GemmProblem problem;
  problem.rows = s.rows;
  problem.depth = s.depth;
  problem.columns = s.columns;
  problem.a = Matrix(a, s.rows, s.depth, transpose_a);
  const StridedMatrix factor = Matrix(b, s.depth, s.columns, transpose_b);
  std::vector<float> packed(PackedGemmElements(s.depth, s.columns));
  const int64_t panels = GemmPanels(s.columns);
  PackGemmPanels(factor, s.depth, s.columns, 0, panels / 2, packed.data());
  PackGemmPanels(factor, s.depth, s.columns, panels / 2, panels, packed.data());
  problem.packed_b = packed.data();
  std::vector<float> c(s.rows * s.columns, 99.0f);
  problem.c = c.data();
  problem.c_stride = s.columns;
  for (int64_t row = 0; row < s.rows; row += kGemmRowsAtATime) {
    const int64_t end = std::min(s.rows, row + kGemmRowsAtATime);
    RunGemm(problem, row, end, 0, panels / 3);
    RunGemm(problem, row, end, panels / 3, panels);
  }
  double error = 0;
  for (int64_t i = 0; i < s.rows; ++i) {
    for (int64_t j = 0; j < s.columns; ++j) {
      double sum = 0;
      for (int64_t k = 0; k < s.depth; ++k) {
        sum += double{problem.a.data[i * problem.a.row_stride +
                                     k * problem.a.column_stride]} *
               factor.data[k * factor.row_stride + j * factor.column_stride];
      }
      error = std::max(error, std::abs(sum - c[i * s.columns + j]));
    }
  }
  return error;
}

TEST(GemmTest, MultipliesMatricesOfAnySize) {
  for (const Sizes& s : std::vector<Sizes>{{1, 1, 1},
                                           {1, 70, 200},
                                           {2, 33, 100},
                                           {3, 5, 64},
                                           {4, 16, 33},
                                           {5, 17, 31},
                                           {6, 64, 64},
                                           {7, 9, 15},
                                           {12, 300, 17},
                                           {13, 257, 48},
                                           {97, 40, 21},
                                           {200, 30, 5}}) {
    for (const bool transpose_a : {false, true}) {
      for (const bool transpose_b : {false, true}) {
        EXPECT_LT(Error(s, transpose_a, transpose_b), 1e-4)
            << s.rows << "x" << s.depth << "x" << s.columns << " "
            << transpose_a << transpose_b;
      }
    }
  }
}

// The same bytes where no float may be.
std::vector<char> OneByteAside(const std::vector<float>& numbers) {
  std::vector<char> bytes(1 + numbers.size() * sizeof(float));
  std::memcpy(bytes.data() + 1, numbers.data(), bytes.size() - 1);
  return bytes;
}

TEST(GemmTest, PacksWhatLiesAnywhere) {
  for (const bool transposed : {false, true}) {
    for (const auto& [depth, columns] :
         std::vector<std::pair<int64_t, int64_t>>{{64, 96}, {7, 35}}) {
      const std::vector<float> b = Random(depth * columns, 2);
      const std::vector<char> aside = OneByteAside(b);
      StridedMatrix matrix = Matrix(b, depth, columns, transposed);
      std::vector<float> want(PackedGemmElements(depth, columns));
      std::vector<float> packed(want.size());
      const int64_t panels = GemmPanels(columns);
      PackGemmPanels(matrix, depth, columns, 0, panels, want.data());
      matrix.data = reinterpret_cast<const float*>(aside.data() + 1);
      PackGemmPanels(matrix, depth, columns, 0, panels, packed.data());
      EXPECT_EQ(packed, want) << transposed << " " << depth;
    }
  }
}

TEST(GemmTest, MultipliesARowWithColumnsAsTheyLie) {
  for (const auto& [depth, columns] : std::vector<std::pair<int64_t, int64_t>>{
           {1, 1}, {5, 3}, {64, 33}, {203, 50}, {1000, 96}}) {
    const std::vector<float> a = Random(depth, 1);
    const std::vector<float> b = Random(depth * columns, 2);
    const std::vector<char> aside = OneByteAside(b);
    const std::vector<float> bias = Random(columns, 3);
    std::vector<float> c = Random(columns, 4);
    const std::vector<float> before = c;
    GemmProblem problem;
    problem.rows = 1;
    problem.depth = depth;
    problem.columns = columns;
    problem.a = {a.data(), depth, 1};
    problem.b = {reinterpret_cast<const float*>(aside.data() + 1), 1, depth};
    problem.bias = bias.data();
    problem.before = {c.data(), columns, 1};
    problem.c = c.data();
    problem.c_stride = columns;
    const int64_t panels = GemmPanels(columns);
    RunGemm(problem, 0, 1, 0, panels / 2);
    problem.asks_ahead = true;
    RunGemm(problem, 0, 1, panels / 2, panels);
    for (int64_t j = 0; j < columns; ++j) {
      double sum = double{bias[j]} + before[j];
      for (int64_t k = 0; k < depth; ++k) {
        sum += double{a[k]} * b[j * depth + k];
      }
      EXPECT_NEAR(c[j], sum, 1e-4) << depth << " " << j;
    }
  }
}

TEST(GemmTest, TakesTheFirstRowsOfAPackedMatrix) {
  // Of ones [4, 3] only two rows.
  const std::vector<float> ones(12, 1.0f);
  std::vector<float> packed(PackedGemmElements(4, 3));
  PackGemmPanels({ones.data(), 3, 1}, 4, 3, 0, GemmPanels(3), packed.data());
  GemmProblem problem;
  problem.rows = 1;
  problem.depth = 2;
  problem.packed_depth = 4;
  problem.columns = 3;
  problem.a = {ones.data(), 2, 1};
  problem.packed_b = packed.data();
  std::vector<float> c(3);
  problem.c = c.data();
  problem.c_stride = 3;
  RunGemm(problem, 0, 1, 0, GemmPanels(3));
  EXPECT_EQ(c, std::vector<float>({2, 2, 2}));
}

// Sums of ones, of which the last panel is not whole.
TEST(GemmTest, AddsABiasAndAMatrix) {
  constexpr int64_t kColumns = 37;
  for (const int64_t rows : {1, 4, 20}) {
    for (const int64_t depth : {3, 700}) {
      const std::vector<float> ones(depth * kColumns, 1.0f);
      std::vector<float> packed(PackedGemmElements(depth, kColumns));
      PackGemmPanels({ones.data(), kColumns, 1}, depth, kColumns, 0,
                     GemmPanels(kColumns), packed.data());
      const std::vector<float> a(rows * depth, 1.0f);
      const std::vector<float> bias = Random(kColumns, 1);
      const std::vector<float> before = Random(rows * kColumns, 2);
      std::vector<float> c(rows * kColumns);
      GemmProblem problem;
      problem.rows = rows;
      problem.depth = depth;
      problem.columns = kColumns;
      problem.a = {a.data(), depth, 1};
      problem.packed_b = packed.data();
      problem.bias = bias.data();
      problem.before = {before.data(), kColumns, 1};
      problem.c = c.data();
      problem.c_stride = kColumns;
      RunGemm(problem, 0, rows, 0, GemmPanels(kColumns));
      for (int64_t i = 0; i < rows * kColumns; ++i) {
        EXPECT_NEAR(c[i], depth + bias[i % kColumns] + before[i], 1e-3)
            << rows << " " << depth << " " << i;
      }
    }
  }
}

TEST(EpilogueTest, ComputesAPartOfAMatrix) {
  ElementwiseProgram::Builder builder;
  const auto x = builder.AddInput(ElementType::kF32);
  const auto bias = builder.AddInput(ElementType::kF32);
  const auto row = builder.AddInput(ElementType::kF32);
  const auto sum = builder.Op(ElementwiseOp::kAdd, {x, bias});
  builder.Output(builder.Op(ElementwiseOp::kMultiply, {sum, row}),
                 ElementType::kF32);
  const auto program = std::move(builder).Build();
  ASSERT_TRUE(program.ok()) << program.status();

  constexpr int64_t kRows = 3, kColumns = 300;
  std::vector<float> c(kRows * kColumns, 1.0f);
  const std::vector<float> biases = Random(kColumns, 1);
  const std::vector<float> factors = {2, 3, 4};
  const EpilogueOperand operands[] = {{biases.data(), 0, 1},
                                      {factors.data(), 1, 0}};
  for (const int64_t end : {int64_t{259}, int64_t{16}}) {
    std::fill(c.begin(), c.end(), 1.0f);
    RunEpilogue(*program, operands, {c.data(), kColumns, 1, 3, 0, end});
    for (int64_t i = 0; i < kRows; ++i) {
      for (int64_t j = 0; j < kColumns; ++j) {
        const bool is_inside = i >= 1 && j < end;
        EXPECT_FLOAT_EQ(c[i * kColumns + j],
                        is_inside ? (1 + biases[j]) * factors[i] : 1)
            << i << " " << j;
      }
    }
  }
}

}  // namespace
}  // namespace dovetail::cpu
