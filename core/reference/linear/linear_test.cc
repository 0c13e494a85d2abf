#include <cmath>
#include <string>
#include <vector>

#include "dovetail/core/ops/linear/table.h"
#include "dovetail/core/reference/linear/table.h"
#include "dovetail/core/reference/testing/run_op.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using ::testing::HasSubstr;

const OpTester& Tester() {
  static const OpTester tester(LinearOps(), LinearKernels());
  return tester;
}

// `count` numbers that are small and all but regular.
std::vector<double> Numbers(int64_t count) {
  std::vector<double> numbers(count);
  for (int64_t i = 0; i < count; ++i) numbers[i] = (i * 7 + 3) % 11 - 5;
  return numbers;
}

TEST(MatMulTest, Multiplies) {
  const Tensor a = Floats({2, 2}, {1, 2, 3, 4});
  const Tensor b = Floats({2, 2}, {5, 6, 7, 8});
  const auto run = [&](const char* transpose_a, const char* transpose_b) {
    return Tester().Run("MatMul-0", {a, b},
                        {{"transpose_a", transpose_a},
                         {"transpose_b", transpose_b}});
  };
  EXPECT_EQ(run("false", "false"), "f32[2,2] {19, 22, 43, 50}");
  EXPECT_EQ(run("true", "false"), "f32[2,2] {26, 30, 38, 44}");
  EXPECT_EQ(run("false", "true"), "f32[2,2] {17, 23, 39, 53}");
  EXPECT_EQ(run("true", "true"), "f32[2,2] {23, 31, 34, 46}");
}

TEST(MatMulTest, TakesVectors) {
  const Tensor matrix = Floats({2, 2}, {1, 2, 3, 4});
  const Tensor vector = Floats({2}, {1, 2});
  // Transposition does not concern vectors.
  EXPECT_EQ(Tester().Run("MatMul-0", {vector, Floats({2}, {3, 4})},
                         {{"transpose_a", "true"}}),
            "f32[] {11}");
  EXPECT_EQ(Tester().Run("MatMul-0", {vector, matrix}), "f32[2] {7, 10}");
  EXPECT_EQ(Tester().Run("MatMul-0", {matrix, vector}), "f32[2] {5, 11}");
  EXPECT_EQ(Tester().Run("MatMul-0", {matrix, vector},
                         {{"transpose_a", "true"}}),
            "f32[2] {7, 10}");
}

TEST(MatMulTest, BroadcastsLeadingAxes) {
  const Tensor a = Floats({2, 1, 1, 2}, {1, 2, 3, 4});
  const Tensor b = Floats({2, 2, 1}, {1, 1, 0, 10});
  EXPECT_EQ(Tester().Run("MatMul-0", {a, b}),
            "f32[2,2,1,1] {3, 20, 7, 40}");
  EXPECT_EQ(Tester().Run("MatMul-0", {a, Floats({2, 1}, {1, 1})}),
            "f32[2,1,1,1] {3, 7}");
}

TEST(MatMulTest, KnowsTypesAndNothing) {
  EXPECT_EQ(Tester().Run("MatMul-0", {Int32s({2}, {1 << 30, 2}),
                                      Int32s({2}, {4, 3})}),
            "i32[] {6}");  // wraps
  EXPECT_EQ(Tester().Run("MatMul-0",
                         {TensorOf(ElementType::kF16, {1, 2}, {1, 2}),
                          TensorOf(ElementType::kF16, {2, 1}, {3, 4})}),
            "f16[1,1] {11}");
  EXPECT_EQ(Tester().Run("MatMul-0", {Floats({2, 0}, {}), Floats({0, 1}, {})}),
            "f32[2,1] {0, 0}");
  EXPECT_EQ(Tester().Run("MatMul-0", {Floats({0, 2}, {}),
                                      Floats({2, 1}, {1, 2})}),
            "f32[0,1] {}");
}

// Products larger than a tile, rows and columns alone; every transposition.
TEST(MatMulTest, AgreesWithPlainSums) {
  struct Dims {
    int64_t rows, inner, columns;
  };
  for (const Dims& d : {Dims{35, 131, 130}, {1, 20, 131}, {35, 20, 1}}) {
    const std::vector<double> a = Numbers(d.rows * d.inner);
    const std::vector<double> b = Numbers(d.inner * d.columns);
    for (int choice = 0; choice < 4; ++choice) {
      const bool ta = choice & 1, tb = choice & 2;
      std::vector<double> want(d.rows * d.columns, 0);
      for (int64_t row = 0; row < d.rows; ++row) {
        for (int64_t column = 0; column < d.columns; ++column) {
          for (int64_t k = 0; k < d.inner; ++k) {
            want[row * d.columns + column] +=
                a[ta ? k * d.rows + row : row * d.inner + k] *
                b[tb ? column * d.inner + k : k * d.columns + column];
          }
        }
      }
      const Shape a_shape = ta ? Shape{d.inner, d.rows}
                               : Shape{d.rows, d.inner};
      const Shape b_shape = tb ? Shape{d.columns, d.inner}
                               : Shape{d.inner, d.columns};
      ExpectNear(Tester().Outputs("MatMul-0",
                                  {Floats(a_shape, a), Floats(b_shape, b)},
                                  {{"transpose_a", ta ? "true" : "false"},
                                   {"transpose_b", tb ? "true" : "false"}}),
                 want);
    }
  }
}

TEST(EinsumTest, SumsProducts) {
  const auto run = [](const char* equation, const std::vector<Tensor>& inputs) {
    return Tester().Run("Einsum-7", inputs, {{"equation", equation}});
  };
  const Tensor a = Floats({2, 2}, {1, 2, 3, 4});
  const Tensor b = Floats({2, 2}, {5, 6, 7, 8});
  EXPECT_EQ(run("ij,jk->ik", {a, b}), "f32[2,2] {19, 22, 43, 50}");
  EXPECT_EQ(run("ij,kj->ki", {a, b}), "f32[2,2] {17, 39, 23, 53}");
  EXPECT_EQ(run("ij->ji", {a}), "f32[2,2] {1, 3, 2, 4}");
  EXPECT_EQ(run("ij->i", {a}), "f32[2] {3, 7}");
  EXPECT_EQ(run("ii->i", {a}), "f32[2] {1, 4}");
  EXPECT_EQ(run("ii", {a}), "f32[] {5}");
  EXPECT_EQ(run("ij,ij->", {a, b}), "f32[] {70}");
  const Tensor x = Floats({2}, {1, 2}), y = Floats({2}, {3, 4});
  EXPECT_EQ(run("i,j->ij", {x, y}), "f32[2,2] {3, 4, 6, 8}");
  EXPECT_EQ(run("i,i,i->", {x, y, Floats({2}, {5, 6})}), "f32[] {63}");
  EXPECT_EQ(run("ij,jk,k->i", {a, b, x}), "f32[2] {63, 143}");
}

TEST(EinsumTest, BroadcastsAndTakesEllipses) {
  const auto run = [](const char* equation, const std::vector<Tensor>& inputs) {
    return Tester().Run("Einsum-7", inputs, {{"equation", equation}});
  };
  const Tensor a = Floats({2, 1, 2}, {1, 2, 3, 4});
  const Tensor b = Floats({1, 2, 1}, {1, 10});
  EXPECT_EQ(run("...ij,...jk->...ik", {a, b}), "f32[2,1,1] {21, 43}");
  EXPECT_EQ(run("...i->i...", {Floats({2, 2}, {1, 2, 3, 4})}),
            "f32[2,2] {1, 3, 2, 4}");
  EXPECT_EQ(run("ij,ij->ij", {Floats({2, 1}, {2, 3}),
                              Floats({1, 2}, {10, 100})}),
            "f32[2,2] {20, 200, 30, 300}");
  EXPECT_EQ(run("ij,ij->i", {Floats({1, 2}, {1, 2}), Floats({1, 1}, {3})}),
            "f32[1] {9}");
  EXPECT_EQ(run("ii,i->i", {Floats({1, 2}, {1, 2}), Floats({2}, {3, 4})}),
            "f32[2] {3, 8}");
  EXPECT_EQ(run("ij,jk->ik", {Floats({1, 0}, {}), Floats({0, 1}, {})}),
            "f32[1,1] {0}");
}

TEST(InverseTest, Inverts) {
  const Tensor data = Floats({2, 2, 2}, {4, 7, 2, 6, 0, 1, 1, 0});
  ExpectNear(Tester().Outputs("Inverse-14", {data}),
             {0.6, -0.7, -0.2, 0.4, 0, 1, 1, 0});
  ExpectNear(Tester().Outputs("Inverse-14", {data}, {{"adjoint", "true"}}),
             {0.6, -0.2, -0.7, 0.4, 0, 1, 1, 0});
  const auto singular =
      Tester().Outputs("Inverse-14", {Floats({2, 2}, {1, 1, 1, 1})});
  ASSERT_TRUE(singular.ok());
  for (float element : singular.value()[0].span<float>()) {
    EXPECT_FALSE(std::isfinite(element));
  }
}

TEST(GroupedMatMulTest, MultipliesGroups) {
  const Tensor a = Floats({3, 2}, {1, 2, 3, 4, 5, 6});
  const Tensor b = Floats({2, 1, 2}, {1, 1, 1, 0});
  EXPECT_EQ(Tester().Run("GroupedMatMul-17", {a, b, Int32s({2}, {1, 3})}),
            "f32[3,1] {3, 3, 5}");
  EXPECT_EQ(Tester().Run("GroupedMatMul-17",
                         {a, b, Int32s({2}, {1, 3}), Floats({2, 1}, {10, 20})}),
            "f32[3,1] {13, 23, 25}");
  // Rows after the last group are 0, and groups may be empty.
  EXPECT_EQ(Tester().Run("GroupedMatMul-17", {a, b, Int64s({2}, {0, 2})}),
            "f32[3,1] {1, 3, 0}");
  // Two matrices: groups are columns of both.
  EXPECT_EQ(Tester().Run("GroupedMatMul-17",
                         {Floats({1, 3}, {1, 2, 3}), Floats({1, 3}, {1, 1, 1}),
                          Int32s({2}, {1, 3})}),
            "f32[2,1,1] {1, 5}");
  EXPECT_EQ(Tester().Run("GroupedMatMul-17",
                         {Floats({2, 1, 2}, {1, 2, 3, 4}), b}),
            "f32[2,1,1] {3, 3}");
}

TEST(GroupedMatMulTest, RefusesWrongEnds) {
  const Tensor a = Floats({3, 2}, {1, 2, 3, 4, 5, 6});
  const Tensor b = Floats({2, 1, 2}, {1, 1, 1, 0});
  EXPECT_THAT(
      Tester().Run("GroupedMatMul-17", {a, b, Int32s({2}, {2, 1})}),
      HasSubstr("has 1 after 2, want 2 to 3"));
  EXPECT_THAT(
      Tester().Run("GroupedMatMul-17", {a, b, Int32s({2}, {-1, 1})}),
      HasSubstr("has -1"));
  EXPECT_THAT(
      Tester().Run("GroupedMatMul-17", {a, b, Int32s({2}, {1, 4})}),
      HasSubstr("has 4"));
}

constexpr char kAttention[] = "ScaledDotProductAttention-13";

TEST(AttentionTest, WeighsValues) {
  const double e = std::exp(1.0);
  const Tensor query = Floats({1, 1, 4}, {2, 0, 0, 0});
  const Tensor key = Floats({1, 2, 4}, {1, 0, 0, 0, 0, 9, 9, 9});
  const Tensor value = Floats({1, 2, 1}, {1, 3});
  // Scores 2 / sqrt(4) and 0.
  ExpectNear(Tester().Outputs(kAttention, {query, key, value}),
             {(e + 3) / (e + 1)});
  // A scale instead of 1 / sqrt(4), and a mask that makes up for the scores.
  ExpectNear(Tester().Outputs(kAttention,
                              {query, key, value, Floats({1, 2}, {0, 6}),
                               Floats({1}, {3})}),
             {2});
  ExpectNear(Tester().Outputs(kAttention,
                              {query, key, value, Booleans({1, 2}, {0, 1})}),
             {3});
  // A sink of score 0 beside scores 0 and 0: each key has a third.
  ExpectNear(Tester().Outputs(kAttention,
                              {query, key, value, Floats({}, {0}),
                               Floats({}, {0}), Floats({1, 1, 1}, {0})}),
             {4 / 3.0});
}

TEST(AttentionTest, IsCausal) {
  const Tensor zeros = Floats({1, 2, 1}, {0, 0});
  ExpectNear(Tester().Outputs(kAttention,
                              {zeros, zeros, Floats({1, 2, 1}, {1, 3})},
                              {{"causal", "true"}}),
             {1, 2});
}

TEST(AttentionTest, BroadcastsLeadingAxes) {
  // One key for both heads; the mask is another for each.
  const Tensor query = Floats({1, 2, 1, 1}, {0, 0});
  const Tensor key = Floats({1, 1, 2, 1}, {0, 0});
  const Tensor value = Floats({1, 2, 2, 1}, {1, 3, 5, 7});
  ExpectNear(Tester().Outputs(kAttention,
                              {query, key, value,
                               Booleans({1, 2, 1, 2}, {1, 1, 0, 1})}),
             {2, 7});
}

}  // namespace
}  // namespace dovetail
