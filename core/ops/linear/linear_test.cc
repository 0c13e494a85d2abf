#include "dovetail/core/ops/linear/einsum.h"
#include "dovetail/core/ops/linear/table.h"
#include "dovetail/core/ops/testing/infer.h"
#include "dovetail/core/ops/testing/infer_cases.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const InferTester tester(LinearOps());

TEST(MatMulTest, InfersShapes) {
  const TextAttributes both = {{"transpose_a", "true"},
                               {"transpose_b", "true"}};
  ExpectShapes(tester, {
      {"MatMul-0", {F32({2, 3}), F32({3, 4})}, {}, "f32[2,4]"},
      {"MatMul-0", {F32({3, 2}), F32({4, 3})}, both, "f32[2,4]"},
      {"MatMul-0", {F32({3}), F32({3})}, both, "f32[]"},
      {"MatMul-0", {F32({3}), F32({5, 3, 4})}, {}, "f32[5,4]"},
      {"MatMul-0", {F32({5, 2, 3}), F32({3})}, {}, "f32[5,2]"},
      {"MatMul-0", {F32({6, 1, 2, 3}), F32({5, 3, 4})}, {}, "f32[6,5,2,4]"},
      {"MatMul-0", {F32({-1, 2, 3}), F32({Dimension(2, 7), -1, 4})}, {},
       "f32[2..7,2,4]"},
      {"MatMul-0", {F32({2, Dimension(3, 5)}), F32({5, -1})}, {}, "f32[2,?]"},
      {"MatMul-0", {F32(PartialShape()), F32({3, 4})}, {}, "f32[...]"},
  });
}

TEST(MatMulTest, SaysWhatIsWrong) {
  ExpectErrors(tester, {
      {"MatMul-0", {F32({2, 3}), F32({2, 3})}, {}, "3 columns and 2 rows"},
      {"MatMul-0", {F32({2, 3}), F32({3, 2})}, {{"transpose_b", "true"}},
       "[3,2] (transposed) do not multiply"},
      {"MatMul-0", {F32({2, 1, 1}), F32({3, 1, 1})}, {}, "leading axes"},
      {"MatMul-0", {F32(Shape()), F32({3})}, {}, "input 0 has shape []"},
      {"MatMul-0", {F32({3}), I32({3})}, {}, "i32"},
      {"MatMul-0",
       {Typed(ElementType::kString, {3}), Typed(ElementType::kString, {3})},
       {},
       "want a numeric type or boolean"},
  });
}

TEST(EinsumTest, ParsesEquations) {
  const auto product = EinsumEquation::Parse("i j, ...jk -> ...ik");
  ASSERT_TRUE(product.ok()) << product.status();
  EXPECT_THAT(product->inputs, ElementsAre("ij", ".jk"));
  EXPECT_EQ(product->output, ".ik");
  // Without an output: the ellipsis, then what occurs once, sorted.
  EXPECT_EQ(EinsumEquation::Parse("b...c,ca")->output, ".ab");
  EXPECT_EQ(EinsumEquation::Parse("ii")->output, "");
  for (const char* wrong : {"i1", "i..j", "...i...", "i->ii", "i->j",
                            "i->i->i", "i,->k"}) {
    EXPECT_THAT(EinsumEquation::Parse(wrong).status().message(),
                HasSubstr(wrong));
  }
}

TEST(EinsumTest, InfersShapes) {
  ExpectShapes(tester, {
      {"Einsum-7", {F32({2, 3}), F32({3, 4})}, {{"equation", "ij,jk->ik"}},
       "f32[2,4]"},
      {"Einsum-7", {F32({2, 3})}, {{"equation", "ij->ji"}}, "f32[3,2]"},
      {"Einsum-7", {F32({3, 3})}, {{"equation", "ii"}}, "f32[]"},
      {"Einsum-7", {F32({6, 1, 2, 3}), F32({5, 3, 4})},
       {{"equation", "...ij,...jk->...ik"}}, "f32[6,5,2,4]"},
      {"Einsum-7", {F32({-1, 3}), F32({Dimension(2, 4), 1})},
       {{"equation", "ij,ij->ij"}}, "f32[2..4,3]"},
      {"Einsum-7", {F32(PartialShape())}, {{"equation", "ij->ji"}},
       "f32[?,?]"},
      {"Einsum-7", {F32(PartialShape()), F32({3, 4})},
       {{"equation", "ij,jk->ik"}}, "f32[?,4]"},
      {"Einsum-7", {F32(PartialShape())}, {{"equation", "...j->j..."}},
       "f32[...]"},
  });
  ExpectErrors(tester, {
      {"Einsum-7", {F32({2, 3})}, {{"equation", "ij,jk->ik"}},
       "is for 2 inputs, and there are 1"},
      {"Einsum-7", {F32({2, 3})}, {{"equation", "ijk"}}, "want rank 3"},
      {"Einsum-7", {F32({2})}, {{"equation", "...ij"}}, "want rank 2 or more"},
      {"Einsum-7", {F32({2, 3}), F32({4})}, {{"equation", "ij,j->i"}},
       "want extent 0 to be 1 or 3"},
      {"Einsum-7", {F32({2}), I32({2})}, {{"equation", "i,i"}}, "i32"},
  });
}

TEST(InverseTest, InfersShapes) {
  ExpectShapes(tester, {
      {"Inverse-14", {F32({5, 3, 3})}, {}, "f32[5,3,3]"},
      {"Inverse-14", {F32({-1, -1, 3})}, {{"adjoint", "true"}}, "f32[?,3,3]"},
      {"Inverse-14", {F32(PartialShape())}, {}, "f32[...]"},
  });
  ExpectErrors(tester, {
      {"Inverse-14", {F32({2, 3})}, {}, "want square matrices"},
      {"Inverse-14", {F32({3})}, {}, "input 0 has shape [3]"},
      {"Inverse-14", {I32({3, 3})}, {}, "want a floating-point type"},
  });
}

TEST(GroupedMatMulTest, InfersShapes) {
  ExpectShapes(tester, {
      {"GroupedMatMul-17", {F32({5, 2, 3}), F32({5, 4, 3})}, {},
       "f32[5,2,4]"},
      {"GroupedMatMul-17", {F32({7, 3}), F32({5, 4, 3}), I32({5})}, {},
       "f32[7,4]"},
      {"GroupedMatMul-17",
       {F32({-1, 3}), F32({5, 4, 3}), I64({-1}), F32({5, 4})}, {},
       "f32[?,4]"},
      {"GroupedMatMul-17", {F32({2, 9}), F32({4, 9}), I64({5})}, {},
       "f32[5,2,4]"},
      {"GroupedMatMul-17", {F32(PartialShape()), F32({5, 4, 3})}, {},
       "f32[...]"},
  });
}

TEST(GroupedMatMulTest, SaysWhatIsWrong) {
  ExpectErrors(tester, {
      {"GroupedMatMul-17", {F32({7, 3}), F32({5, 4, 3})}, {},
       "wants input 2, the ends of the groups"},
      {"GroupedMatMul-17", {F32({7, 3}), F32({5, 4, 2}), I32({5})}, {}, "K"},
      {"GroupedMatMul-17", {F32({7, 3}), F32({5, 4, 3}), I32({4})}, {},
       "input 2 has 4 ends of groups, want 5"},
      {"GroupedMatMul-17", {F32({5, 2, 3}), F32({4, 3})}, {}, "want rank 2"},
      {"GroupedMatMul-17", {F32({7, 3}), F32({5, 4, 3}), F32({5})}, {},
       "input 2 has type f32"},
      {"GroupedMatMul-17",
       {F32({7, 3}), F32({5, 4, 3}), I32({5}), F32({5, 3})}, {}, "as N"},
      {"GroupedMatMul-17",
       {F32({2, 9}), F32({4, 9}), I64({5}), F32({4, 4})}, {},
       "the number of groups"},
      {"GroupedMatMul-17",
       {F32({2, 9}), F32({4, 9}), I64({5}), F32({5, 3})}, {}, "as N"},
  });
}

TEST(AttentionTest, InfersShapes) {
  const char* const op = "ScaledDotProductAttention-13";
  const InputSpec query = F32({2, 5, 3}), key = F32({2, 4, 3});
  const InputSpec value = F32({2, 4, 6});
  ExpectShapes(tester, {
      {op, {query, key, value}, {{"causal", "true"}}, "f32[2,5,6]"},
      {op, {query, key, value, Boolean({5, 4}), F32(Shape())}, {},
       "f32[2,5,6]"},
      {op, {query, key, value, F32(Shape()), F32({1}), F32({2, 5, 1})}, {},
       "f32[2,5,6]"},
      {op, {F32({-1, 8, 5, 3}), F32({2, 1, -1, 3}), F32({1, 8, 4, 6})}, {},
       "f32[2,8,5,6]"},
      {op, {F32(PartialShape()), key, value}, {}, "f32[2,?,6]"},
      {op, {query, F32(PartialShape()), F32(PartialShape())}, {},
       "f32[2,5,?]"},
      {op, std::vector<InputSpec>(3, F32(PartialShape())), {}, "f32[...]"},
      // A mask that is not broadcast tells extents.
      {op, {F32({-1, -1, 3}), F32({-1, 4, 3}), F32({-1, 4, 6}),
            Boolean({2, 5, 4})}, {}, "f32[2,5,6]"},
  });
  ExpectErrors(tester, {
      {op, {query, F32({2, 4, 2}), value}, {}, "as E"},
      {op, {query, key, F32({2, 3, 6})}, {}, "as S"},
      {op, {query, F32({3, 4, 3}), value}, {}, "do not broadcast"},
      {op, {query, key, value, F32({5, 5})}, {}, "input 3 has shape [5,5]"},
      {op, {query, key, value, I32({5, 4})}, {}, "i32"},
      {op, {query, key, value, F32({5, 4}), F32({2})}, {}, "input 4"},
      {op, {F32({5, 3}), F32({4, 3}), F32({4, 6})}, {}, "input 0"},
  });
}

}  // namespace
}  // namespace dovetail
