#include "dovetail/core/ops/reduction/table.h"

#include "dovetail/core/ops/testing/infer.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using ::testing::HasSubstr;

const InferTester& Tester() {
  static const InferTester tester(ReductionOps());
  return tester;
}

TEST(ReduceTest, InfersShapes) {
  const TextAttributes keep = {{"keep_dims", "true"}};
  const auto shapes = [](const InputSpec& data, const InputSpec& axes,
                         const TextAttributes& attributes = {}) {
    return Tester().Shapes("ReduceSum-1", {data, axes}, attributes);
  };
  EXPECT_EQ(shapes(F32({2, -1, 4}), Ints({0, -1})), "f32[?]");
  EXPECT_EQ(shapes(F32({2, -1, 4}), Int(1), keep), "f32[2,1,4]");
  EXPECT_EQ(shapes(F32({2, 3}), Ints({0, 0})), "f32[3]");
  EXPECT_EQ(shapes(F32({2, 3}), Ints({})), "f32[2,3]");
  EXPECT_EQ(shapes(F32({2, 3}), I64({1})), "f32[?]");
  EXPECT_EQ(shapes(F32({2, 3}), I64({2})), "f32[...]");
  EXPECT_EQ(shapes(F32({2, 3}), I64({2}), keep), "f32[?,?]");
  EXPECT_EQ(shapes(F32(Shape{}), Int(-1)), "f32[]");
  EXPECT_EQ(shapes(F32(PartialShape::DynamicRank()), Int(0)), "f32[...]");
}

TEST(ReduceTest, InfersValues) {
  const InputSpec data =
      ConstantOf(ElementType::kI64, {2, 2}, {1, 5, 3, -2});
  EXPECT_EQ(Tester().Values("ReduceSum-1", {data, Int(0)}), "4, 3");
  EXPECT_EQ(Tester().Values("ReduceProd-1", {data, Int(1)}), "5, -6");
  EXPECT_EQ(Tester().Values("ReduceMean-1", {data, Int(0)}), "2, 1");
  EXPECT_EQ(Tester().Values("ReduceMean-1",
                            {ConstantOf(ElementType::kU8, {2}, {200, 100}),
                             Int(0)}),
            "150");
  EXPECT_EQ(Tester().Values("ReduceMean-1",
                            {ConstantOf(ElementType::kF32, {2}, {1, 2}),
                             Int(0)}),
            "1.5");
  EXPECT_EQ(Tester().Values("ReduceMax-1", {data, Ints({0, 1})}), "5");
  EXPECT_EQ(Tester().Values("ReduceMin-1", {data, Int(0)}), "1, -2");
  EXPECT_EQ(Tester().Values("ReduceSum-1", {I64({2}), Int(0)}), "unknown");
}

TEST(ReduceTest, RefusesWhatDoesNotFit) {
  EXPECT_THAT(Tester().Error("ReduceSum-1", {F32({2}), Int(1)}),
              HasSubstr("axes"));
  EXPECT_THAT(Tester().Error("ReduceSum-1", {Boolean({2}), Int(0)}),
              HasSubstr("input 0 has type boolean"));
  EXPECT_THAT(Tester().Error("ReduceLogicalOr-1", {F32({2}), Int(0)}),
              HasSubstr("input 0 has type f32"));
  EXPECT_THAT(Tester().Error("ReduceL2-4", {F32({2}), F32({1})}),
              HasSubstr("input 1 has type f32"));
}

}  // namespace
}  // namespace dovetail
