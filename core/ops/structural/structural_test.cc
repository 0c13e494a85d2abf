#include "dovetail/core/ops/structural/structural.h"

#include <memory>

#include "dovetail/core/graph/model.h"
#include "dovetail/core/ops/structural/table.h"
#include "dovetail/core/ops/testing/infer.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

TEST(StructuralTest, AParameterIsAsItsAttributesSay) {
  Model model;
  const auto node =
      AddParameter(model, ElementType::kF16, PartialShape({1, -1}), "in");
  ASSERT_TRUE(node.ok()) << node.status();
  EXPECT_EQ((*node)->port().type, ElementType::kF16);
  EXPECT_EQ((*node)->port().shape, PartialShape({1, -1}));
  EXPECT_EQ(model.parameters().size(), 1u);
}

TEST(StructuralTest, AConstantsElementsAreKnown) {
  Model model;
  const auto node =
      AddConstant(model, *Tensor::FromValues<int64_t>(Shape({2}), {3, 4}));
  ASSERT_TRUE(node.ok()) << node.status();
  ASSERT_TRUE((*node)->port().value.has_value());
  EXPECT_EQ(*(*node)->port().value, ValueRange::Exact({3, 4}));
}

TEST(StructuralTest, AConstantNeedsAValue) {
  Model model;
  EXPECT_EQ(AddConstant(model, Tensor()).status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(StructuralTest, AResultHasNoOutput) {
  Model model;
  Node* parameter = *AddParameter(model, ElementType::kF32, {1});
  const auto result = AddResult(model, parameter->output());
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ((*result)->output_count(), 0);
  EXPECT_EQ(model.results().size(), 1u);
}

TEST(StructuralTest, IdentityPassesEverythingOn) {
  const InferTester tester(StructuralOps());
  EXPECT_EQ(tester.Shapes("Identity-16", {F32({2, -1})}), "f32[2,?]");
  EXPECT_EQ(tester.Shapes("Identity-16", {F32({2, 3})}), "f32[2,3]");
  EXPECT_EQ(tester.Values("Identity-16", {Ints({5, 6})}), "5, 6");
  EXPECT_THAT(tester.Error("Identity-16", {F32({2}), F32({2})}),
              testing::HasSubstr("2 inputs"));
}

TEST(StructuralTest, ParametersHaveNoInputAndResultsOne) {
  const InferTester tester(StructuralOps());
  EXPECT_EQ(tester.Shapes("Parameter-0", {},
                          {{"element_type", "i8"}, {"shape", "2,3"}}),
            "i8[2,3]");
  EXPECT_EQ(tester.Shapes("Result-0", {F32({2, -1})}), "");
  EXPECT_THAT(tester.Error("Parameter-0", {F32({2})}),
              testing::HasSubstr("1 input"));
  EXPECT_THAT(tester.Error("Result-0", {}), testing::HasSubstr("0 inputs"));
}

}  // namespace
}  // namespace dovetail
