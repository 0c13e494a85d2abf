#include "dovetail/core/ops/random/random.h"

#include "dovetail/core/ops/random/table.h"
#include "dovetail/core/ops/testing/infer.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using testing::HasSubstr;

const InferTester tester(RandomOps());

InputSpec Scalar(double value) {
  return ConstantOf(ElementType::kF32, Shape(), {value});
}

TEST(RandomUniformTest, TakesItsShapeFromInput0) {
  const TextAttributes f32 = {{"output_type", "f32"}};
  EXPECT_EQ(tester.Shapes("RandomUniform-8",
                          {Ints({2, 3}), Scalar(0), Scalar(1)}, f32),
            "f32[2,3]");
  EXPECT_EQ(tester.Shapes("RandomUniform-8",
                          {I64({2}), F32({1}), F32({1})}, f32),
            "f32[?,?]");
  EXPECT_EQ(tester.Shapes("RandomUniform-8",
                          {I64({-1}), F32({1}), F32({1})}, f32),
            "f32[...]");
}

TEST(RandomUniformTest, RefusesWrongInputs) {
  const TextAttributes f32 = {{"output_type", "f32"}};
  EXPECT_THAT(tester.Error("RandomUniform-8",
                           {Ints({2}), Scalar(1), Scalar(1)}, f32),
              HasSubstr("min 1 is not less than max 1"));
  EXPECT_THAT(tester.Error("RandomUniform-8",
                           {Ints({2}), I64({1}), Scalar(1)}, f32),
              HasSubstr("input 1 has type i64, want f32"));
  EXPECT_THAT(tester.Error("RandomUniform-8",
                           {Ints({2}), Scalar(0), Scalar(1)},
                           {{"output_type", "u8"}}),
              HasSubstr("output_type is u8"));
}

TEST(MultinomialTest, GivesSamplesForEachRow) {
  EXPECT_EQ(tester.Shapes("Multinomial-13", {F32({2, 5}), Ints({3})},
                          {{"convert_type", "i32"}}),
            "i32[2,3]");
  EXPECT_EQ(tester.Shapes("Multinomial-13", {F32({5}), I64(Shape())}),
            "i64[?]");
  EXPECT_THAT(tester.Error("Multinomial-13", {F32({5}), Int(-1)}),
              HasSubstr("asks for -1 samples"));
  EXPECT_THAT(tester.Error("Multinomial-13", {F32({1, 2, 3}), Int(1)}),
              HasSubstr("want rank 1 to 2"));
}

}  // namespace
}  // namespace dovetail
