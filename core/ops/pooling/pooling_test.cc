#include "dovetail/core/ops/pooling/table.h"
#include "dovetail/core/ops/testing/infer.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using ::testing::HasSubstr;

const InferTester tester(PoolingOps());

TEST(PoolTest, InfersShapes) {
  struct Case {
    const char* op;
    PartialShape data;
    TextAttributes attributes;
    const char* want;
  };
  const Case cases[] = {
      {"MaxPool-1", {1, 2, 7, 8}, {{"kernel", "3,3"}, {"strides", "2,2"}},
       "f32[1,2,3,3]"},
      {"MaxPool-1",
       {1, 2, 7, 8},
       {{"kernel", "3,3"}, {"strides", "2,2"}, {"rounding_type", "ceil"}},
       "f32[1,2,3,4]"},
      {"MaxPool-1",
       {1, 2, 7},
       {{"kernel", "3"}, {"strides", "2"}, {"auto_pad", "same_upper"}},
       "f32[1,2,4]"},
      // Pads are not negative, and rounding up finds room for a third window.
      {"MaxPool-1",
       {1, 2, 5},
       {{"kernel", "1"}, {"strides", "3"}, {"auto_pad", "same_upper"},
        {"rounding_type", "ceil"}},
       "f32[1,2,3]"},
      {"MaxPool-8",
       {-1, 2, Dimension(4, 7)},
       {{"kernel", "2"}, {"dilations", "3"}, {"index_element_type", "i32"}},
       "f32[?,2,1..4] i32[?,2,1..4]"},
      {"MaxPool-14", PartialShape(), {{"kernel", "2,2,2"}},
       "f32[?,?,1..,1..,1..] i64[?,?,1..,1..,1..]"},
      {"AvgPool-1", {1, 2, -1}, {{"kernel", "2"}, {"pads_begin", "1"}},
       "f32[1,2,1..]"},
      // The third window would begin in the padding at the end.
      {"AvgPool-14",
       {1, 2, 3},
       {{"kernel", "2"}, {"strides", "3"}, {"pads_end", "1"},
        {"rounding_type", "ceil"}},
       "f32[1,2,2]"},
      {"AvgPool-14",
       {1, 2, 3},
       {{"kernel", "2"}, {"strides", "3"}, {"pads_end", "1"},
        {"rounding_type", "ceil_torch"}},
       "f32[1,2,1]"},
      {"AvgPool-16", {1, 2, 9}, {{"kernel", "3"}, {"dilations", "3"}},
       "f32[1,2,3]"},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(tester.Shapes(c.op, {F32(c.data)}, c.attributes), c.want)
        << c.op << " " << c.data;
  }
}

TEST(PoolTest, SaysWhatIsWrong) {
  struct Case {
    const char* op;
    TextAttributes attributes;
    const char* want;
  };
  const Case cases[] = {
      {"MaxPool-1", {}, "attribute 'kernel' has 0 values"},
      {"MaxPool-1", {{"kernel", "2,2"}}, "has shape [1,2,7], want rank 4"},
      {"MaxPool-1", {{"kernel", "0"}}, "attribute 'kernel' has the value 0"},
      {"MaxPool-1", {{"kernel", "8"}}, "the padded input has only 7"},
      {"AvgPool-1",
       {{"kernel", "2"}, {"pads_begin", "2"}, {"exclude-pad", "true"}},
       "a padding of 2 along spatial axis 0"},
      {"MaxPool-1", {{"kernel", "2"}, {"pads_begin", "-1"}},
       "attribute 'pads_begin' has the value -1"},
      {"MaxPool-8", {{"kernel", "2"}, {"rounding_type", "ceil_torch"}},
       "version 14 of the operation introduces"},
      {"MaxPool-8", {{"kernel", "2"}, {"axis", "3"}}, "'axis'"},
      {"MaxPool-8", {{"kernel", "2"}, {"index_element_type", "f32"}},
       "attribute 'index_element_type' is f32, want i32 or i64"},
      {"AvgPool-16", {{"kernel", "2"}, {"dilations", "0"}},
       "attribute 'dilations' has the value 0"},
  };
  for (const Case& c : cases) {
    EXPECT_THAT(tester.Error(c.op, {F32({1, 2, 7})}, c.attributes),
                HasSubstr(c.want));
  }
}

TEST(AdaptivePoolTest, TakesExtentsFromInput) {
  EXPECT_EQ(tester.Shapes("AdaptiveAvgPool-8",
                          {F32({1, 2, 7, -1}), Ints({3, 4})}),
            "f32[1,2,3,4]");
  EXPECT_EQ(tester.Shapes("AdaptiveMaxPool-8", {F32({1, 2, 7}), I64({1})},
                          {{"index_element_type", "i32"}}),
            "f32[1,2,?] i32[1,2,?]");
  EXPECT_EQ(tester.Shapes("AdaptiveAvgPool-8", {F32(PartialShape()), I64({2})}),
            "f32[?,?,?,?]");
  EXPECT_THAT(tester.Error("AdaptiveAvgPool-8", {F32({1, 2, 7}), Ints({3, 4})}),
              HasSubstr("input 1 (output extents) has shape [2]"));
  EXPECT_THAT(tester.Error("AdaptiveAvgPool-8", {F32({1, 2, 7}), Ints({-3})}),
              HasSubstr("holds -3, want at least 0"));
  EXPECT_THAT(tester.Error("AdaptiveAvgPool-8", {F32({1, 2, 0}), Ints({3})}),
              HasSubstr("want spatial extents of at least 1"));
}

}  // namespace
}  // namespace dovetail
