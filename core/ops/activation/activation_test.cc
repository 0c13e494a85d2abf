#include "dovetail/core/ops/activation/activation.h"

#include "dovetail/core/ops/activation/table.h"
#include "dovetail/core/ops/testing/infer.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using testing::HasSubstr;

const InferTester tester(ActivationOps());

TEST(ActivationTest, KeepsTypeAndShape) {
  EXPECT_EQ(tester.Shapes("Relu-0", {I64({1, -1})}), "i64[1,?]");
  EXPECT_EQ(tester.Shapes("Gelu-0", {F32({2})}), "f32[2]");
  EXPECT_EQ(
      tester.Shapes("Gelu-7", {F32({2})}, {{"approximation_mode", "TANH"}}),
      "f32[2]");
  EXPECT_EQ(tester.Shapes("Elu-0", {F32(PartialShape())}, {{"alpha", "2"}}),
            "f32[...]");
}

TEST(ActivationTest, RefusesOtherTypes) {
  EXPECT_THAT(tester.Error("Mish-4", {I32({1})}),
              HasSubstr("input 0 has type i32, want a floating-point type"));
  EXPECT_THAT(tester.Error("Sigmoid-0", {Boolean({1})}),
              HasSubstr("want a numeric type"));
}

TEST(ActivationTest, ReluKnowsValues) {
  EXPECT_EQ(tester.Values("Relu-0", {Ints({-1, 2})}), "0, 2");
}

TEST(ActivationTest, ParametersAreSingleElements) {
  EXPECT_EQ(tester.Shapes("Swish-4", {F32({2, -1})}), "f32[2,?]");
  EXPECT_EQ(tester.Shapes("Swish-4", {F32({2, -1}), F32(Shape())}), "f32[2,?]");
  EXPECT_EQ(tester.Shapes("Selu-0", {F32({2}), F32({1}), F32({1})}), "f32[2]");
  EXPECT_THAT(tester.Error("Swish-4", {F32({2}), F32({2})}),
              HasSubstr("input 1 has shape [2], want a single element"));
  EXPECT_THAT(
      tester.Error("HardSigmoid-0", {F32({2}), I32(Shape()), F32(Shape())}),
      HasSubstr("input 1 has type i32, want f32 as input 0 has"));
}

TEST(PReluTest, ASlopeFitsItsData) {
  EXPECT_EQ(tester.Shapes("PRelu-0", {F32({1, 3, -1}), F32({3})}),
            "f32[1,3,?]");
  EXPECT_EQ(tester.Shapes("PRelu-0", {F32({1, 3, 5}), F32({5})}), "f32[1,3,5]");
  EXPECT_EQ(tester.Shapes("PRelu-0", {F32({4, 3}), F32({4, 1})}), "f32[4,3]");
  EXPECT_EQ(tester.Shapes("PRelu-0", {Typed(ElementType::kF16, {4, 3}),
                                      F32({3})}),
            "f16[4,3]");
  EXPECT_THAT(tester.Error("PRelu-0", {F32({1, 3, 5}), F32({4})}),
              HasSubstr("a slope of shape [4] does not broadcast to data of "
                        "shape [1,3,5]"));
  EXPECT_THAT(tester.Error("PRelu-0", {F32({3}), F32({2, 3})}),
              HasSubstr("does not broadcast"));
}

TEST(PReluTest, ASlopeOfChannelsLiesAlongAxis1) {
  EXPECT_EQ(AlignSlope({3}, {2, 3, 3}), PartialShape({1, 3, 1}));
  EXPECT_EQ(AlignSlope({4}, {2, 3, 4}), PartialShape({4}));
  EXPECT_EQ(AlignSlope({4}, {4}), PartialShape({4}));
}

}  // namespace
}  // namespace dovetail
