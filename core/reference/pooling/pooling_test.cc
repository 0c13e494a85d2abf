#include <cmath>
#include <limits>

#include "dovetail/core/ops/pooling/table.h"
#include "dovetail/core/reference/pooling/table.h"
#include "dovetail/core/reference/testing/run_op.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

const OpTester tester(PoolingOps(), PoolingKernels());

TEST(MaxPoolTest, TakesTheGreatest) {
  EXPECT_EQ(tester.Run("MaxPool-1",
                       {Floats({1, 1, 2, 3}, {1, 5, 2, 4, 3, 6})},
                       {{"kernel", "2,2"}}),
            "f32[1,1,1,2] {5, 6}");
  EXPECT_EQ(tester.Run("MaxPool-1",
                       {TensorOf(ElementType::kI8, {1, 1, 3}, {-5, -7, -3})},
                       {{"kernel", "2"}, {"auto_pad", "same_upper"}}),
            "i8[1,1,3] {-5, -3, -3}");
}

TEST(MaxPoolTest, CountsIndicesFromTheAxis) {
  const Tensor data = Floats({1, 2, 4}, {1, 3, 3, 0, 9, 8, 7, 8});
  EXPECT_EQ(tester.Run("MaxPool-8", {data}, {{"kernel", "2"}}),
            "f32[1,2,3] {3, 3, 3, 9, 8, 8}; i64[1,2,3] {1, 1, 2, 4, 5, 7}");
  EXPECT_EQ(tester.Run("MaxPool-14", {data},
                       {{"kernel", "2"},
                        {"dilations", "2"},
                        {"axis", "-1"},
                        {"index_element_type", "i32"}}),
            "f32[1,2,2] {3, 3, 9, 8}; i32[1,2,2] {2, 1, 0, 1}");
}

TEST(MaxPoolTest, HasIndicesOfTheTypeOfTheData) {
  EXPECT_EQ(tester.Run("MaxPool-8",
                       {TensorOf(ElementType::kI32, {1, 1, 3}, {5, -7, 6})},
                       {{"kernel", "2"}, {"index_element_type", "i32"}}),
            "i32[1,1,2] {5, 6}; i32[1,1,2] {0, 2}");
}

TEST(MaxPoolTest, PassesOverNan) {
  ExpectNear(tester.Outputs("MaxPool-1",
                            {Floats({1, 1, 4}, {NAN, -INFINITY, NAN, NAN})},
                            {{"kernel", "2"}}),
             {-INFINITY, -INFINITY, NAN});
}

TEST(AvgPoolTest, CountsPaddingOnlyWhenTold) {
  const Tensor data = Floats({1, 1, 3}, {2, 4, 6});
  EXPECT_EQ(tester.Run("AvgPool-1", {data},
                       {{"kernel", "2"},
                        {"pads_begin", "1"},
                        {"pads_end", "1"},
                        {"exclude-pad", "true"}}),
            "f32[1,1,4] {2, 3, 5, 6}");
  EXPECT_EQ(tester.Run("AvgPool-1", {data},
                       {{"kernel", "2"},
                        {"pads_begin", "1"},
                        {"pads_end", "1"},
                        {"exclude-pad", "false"}}),
            "f32[1,1,4] {1, 3, 5, 3}");
}

TEST(PoolTest, HasWindowsInPaddingAlone) {
  const Tensor data = TensorOf(ElementType::kI8, {1, 1, 2}, {2, 4});
  EXPECT_EQ(tester.Run("AvgPool-1", {data},
                       {{"kernel", "2"},
                        {"pads_begin", "2"},
                        {"exclude-pad", "false"}}),
            "i8[1,1,3] {0, 1, 3}");
  ExpectNear(tester.Outputs("MaxPool-1", {Floats({1, 1, 2}, {-2, -4})},
                            {{"kernel", "1"}, {"pads_end", "1"}}),
             {-2, -4, std::numeric_limits<float>::lowest()});
  EXPECT_EQ(tester.Run("MaxPool-1",
                       {TensorOf(ElementType::kI8, {1, 1, 2}, {-2, -4})},
                       {{"kernel", "1"}, {"pads_end", "1"}}),
            "i8[1,1,3] {-2, -4, -128}");
  EXPECT_EQ(tester.Run("MaxPool-1",
                       {TensorOf(ElementType::kU16, {1, 1, 2}, {2, 4})},
                       {{"kernel", "1"}, {"pads_end", "1"}}),
            "u16[1,1,3] {2, 4, 0}");
}

// What lies beyond the padding counts when rounding is "ceil", not when it is
// "ceil_torch", and never without padding.
TEST(AvgPoolTest, DividesTheLastWindowByRounding) {
  const Tensor data = Floats({1, 1, 3}, {3, 3, 12});
  TextAttributes attributes = {{"kernel", "3"},
                               {"strides", "3"},
                               {"pads_begin", "1"},
                               {"exclude-pad", "false"},
                               {"rounding_type", "ceil"}};
  EXPECT_EQ(tester.Run("AvgPool-14", {data}, attributes),
            "f32[1,1,2] {2, 4}");
  attributes["rounding_type"] = "ceil_torch";
  EXPECT_EQ(tester.Run("AvgPool-14", {data}, attributes),
            "f32[1,1,2] {2, 12}");
  attributes["rounding_type"] = "ceil";
  attributes["pads_begin"] = "0";
  attributes["strides"] = "2";
  attributes["kernel"] = "2";
  EXPECT_EQ(tester.Run("AvgPool-14", {data}, attributes),
            "f32[1,1,2] {3, 12}");
}

TEST(AvgPoolTest, RoundsIntegersToEven) {
  EXPECT_EQ(tester.Run("AvgPool-16",
                       {TensorOf(ElementType::kU8, {1, 1, 4}, {1, 2, 3, 250})},
                       {{"kernel", "2"}}),
            "u8[1,1,3] {2, 2, 126}");
}

TEST(AdaptivePoolTest, CoversTheInputEvenly) {
  const Tensor data = Floats({1, 1, 5}, {1, 2, 3, 4, 8});
  EXPECT_EQ(tester.Run("AdaptiveAvgPool-8", {data, Int64s({1}, {3})}),
            "f32[1,1,3] {1.5, 3, 6}");
  EXPECT_EQ(tester.Run("AdaptiveMaxPool-8", {data, Int64s({1}, {2})}),
            "f32[1,1,2] {3, 8}; i64[1,1,2] {2, 4}");
  EXPECT_EQ(tester.Run("AdaptiveAvgPool-8", {data, Int64s({1}, {0})}),
            "f32[1,1,0] {}");
  // More windows than elements; indices count within a plane.
  EXPECT_EQ(tester.Run("AdaptiveMaxPool-8",
                       {Floats({1, 2, 1, 2}, {1, 2, 4, 3}),
                        Int64s({2}, {1, 3})}),
            "f32[1,2,1,3] {1, 2, 2, 4, 4, 3}; i64[1,2,1,3] {0, 1, 1, 0, 0, 1}");
}

}  // namespace
}  // namespace dovetail
