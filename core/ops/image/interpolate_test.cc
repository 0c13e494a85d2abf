#include "dovetail/core/ops/image/table.h"
#include "dovetail/core/ops/testing/infer.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using ::testing::HasSubstr;

const InferTester tester(ImageOps());

InputSpec Scales(const std::vector<double>& values) {
  return ConstantOf(ElementType::kF32,
                    Shape({static_cast<int64_t>(values.size())}), values);
}

TEST(InterpolateTest, TakesSizes) {
  const PartialShape data = {2, -1, 10, 20};
  EXPECT_EQ(tester.Shapes("Interpolate-11",
                          {F32(data), Ints({5, 7}), Ints({2, 3})}),
            "f32[2,?,5,7]");
  // Sizes belong to the axes in the order given.
  EXPECT_EQ(tester.Shapes("Interpolate-11",
                          {F32(data), Ints({5, 7}), Ints({3, 0})}),
            "f32[7,?,10,5]");
  EXPECT_EQ(tester.Shapes("Interpolate-4",
                          {F32(data), Ints({5, 7}), Scales({9, 9}),
                           Ints({2, 3})}),
            "f32[2,?,5,7]");
  EXPECT_EQ(tester.Shapes("Interpolate-0", {F32(data), Ints({5, 7})},
                          {{"axes", "3,2"}, {"mode", "linear"}}),
            "f32[2,?,5,7]");
}

TEST(InterpolateTest, TakesScales) {
  const TextAttributes by_scales = {{"shape_calculation_mode", "scales"}};
  EXPECT_EQ(tester.Shapes("Interpolate-11",
                          {F32({1, 3, Dimension(4, 7), -1}), Scales({1.5, 2}),
                           Ints({2, 3})},
                          by_scales),
            "f32[1,3,6..10,?]");
  EXPECT_EQ(tester.Shapes("Interpolate-4",
                          {F32({1, 3, 9, 9}), I64({2}), Scales({0.5, 2}),
                           Ints({2, 3})},
                          by_scales),
            "f32[1,3,4,18]");
  // A third as a float is less than a third.
  EXPECT_EQ(tester.Shapes("Interpolate-11",
                          {F32({3}), Scales({1.0 / 3})}, by_scales),
            "f32[1]");
}

TEST(InterpolateTest, PadsFirst) {
  EXPECT_EQ(tester.Shapes("Interpolate-11",
                          {F32({1, 3, 4, 5}), Scales({2}), Ints({2})},
                          {{"shape_calculation_mode", "scales"},
                           {"pads_begin", "0,0,1"},
                           {"pads_end", "0,0,1,2"}}),
            "f32[1,3,12,7]");
}

TEST(InterpolateTest, TakesWhatIsKnown) {
  EXPECT_EQ(tester.Shapes("Interpolate-11",
                          {F32({1, 3, 4, 5}), I64({2}), Ints({2, 3})}),
            "f32[1,3,?,?]");
  EXPECT_EQ(tester.Shapes("Interpolate-11",
                          {F32({1, 3}), Ints({2, 2}), I64({2})}),
            "f32[?,?]");
  EXPECT_EQ(tester.Shapes("Interpolate-11",
                          {F32(PartialShape()), Ints({2, 2}), Ints({2, 3})}),
            "f32[...]");
  EXPECT_EQ(tester.Shapes("Interpolate-11",
                          {F32({1, 3}), I64(PartialShape())}),
            "f32[?,?]");
}

TEST(InterpolateTest, SaysWhatIsWrong) {
  struct Case {
    const char* op;
    std::vector<InputSpec> inputs;
    TextAttributes attributes;
    const char* want;
  };
  const InputSpec data = F32({1, 3, 4, 5});
  const Case cases[] = {
      {"Interpolate-11", {data, Ints({1}), Ints({2, 3})}, {},
       "input 1 has 1 elements, want one for each of 2 axes"},
      {"Interpolate-11", {data, Ints({1}), Ints({4})}, {},
       "input 2 (axes) 4 is outside of [-4, 3]"},
      {"Interpolate-11", {data, Ints({1}), Int(2)}, {},
       "input 2 has shape [], want rank 1"},
      {"Interpolate-11", {data, Ints({1, 1}), Ints({2, -2})}, {},
       "has axis 2 twice"},
      {"Interpolate-11", {data, Ints({-3}), Ints({2})}, {},
       "the sizes hold -3, want at least 0"},
      {"Interpolate-11", {data, Scales({-1}), Ints({2})},
       {{"shape_calculation_mode", "scales"}},
       "the scales hold -1, want at least 0"},
      {"Interpolate-11", {data, Scales({1}), Ints({2})}, {},
       "input 1 has type"},
      {"Interpolate-11", {data, Ints({1}), Ints({2})},
       {{"shape_calculation_mode", "scales"}}, "input 1 has type i64"},
      {"Interpolate-11", {data, Ints({1}), Ints({2})}, {{"pads_begin", "-1"}},
       "attribute 'pads_begin' has the value -1"},
      {"Interpolate-11", {data, Ints({1}), Ints({2})},
       {{"pads_end", "0,4611686018427387904"}}, "want 0 to 16777216"},
      {"Interpolate-11", {data, Ints({1}), Ints({2})},
       {{"pads_end", "0,0,0,0,1"}},
       "attribute 'pads_end' has 5 values, want at most 4"},
      {"Interpolate-11", {Boolean({4}), Ints({1})}, {}, "input 0 has type"},
      {"Interpolate-4", {data, Ints({1}), Scales({1}), Ints({2})},
       {{"mode", "bilinear_pillow"}}, "which version 11"},
      {"Interpolate-0", {data, Ints({-1})}, {{"axes", "2"}, {"mode", "area"}},
       "the sizes hold -1, want at least 0"},
      {"Interpolate-11", {data, Ints({1}), Ints({2})}, {{"mode", "area"}},
       "area"},
  };
  for (const Case& c : cases) {
    EXPECT_THAT(tester.Error(c.op, c.inputs, c.attributes), HasSubstr(c.want))
        << c.want;
  }
}

}  // namespace
}  // namespace dovetail
