#include "dovetail/core/ops/shape_query/table.h"

#include <cmath>
#include <string>
#include <vector>

#include "dovetail/core/reference/shape_query/table.h"
#include "dovetail/core/reference/testing/run_op.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using ::testing::HasSubstr;

std::string RunOp(const std::string& op, const std::vector<Tensor>& inputs,
                const TextAttributes& attributes = {}) {
  static const OpTester tester(ShapeQueryOps(), ShapeQueryKernels());
  return tester.Run(op, inputs, attributes);
}

TEST(ShapeQueryTest, GivesValues) {
  EXPECT_EQ(RunOp("ShapeOf-0", {Floats({2, 0}, {})}), "i64[2] {2, 0}");
  EXPECT_EQ(RunOp("ShapeOf-3", {Floats({}, {1})}, {{"output_type", "i32"}}),
            "i32[0] {}");
  EXPECT_EQ(RunOp("Broadcast-3", {Int32s({2, 1}, {1, 2}), Int64s({2}, {2, 2})}),
            "i32[2,2] {1, 1, 2, 2}");
  EXPECT_EQ(RunOp("Broadcast-3",
                {Int32s({2}, {1, 2}), Int64s({2}, {2, 2}), Int64s({1}, {0})},
                {{"mode", "explicit"}}),
            "i32[2,2] {1, 1, 2, 2}");
  EXPECT_EQ(RunOp("Broadcast-3", {Int32s({2, 1}, {1, 2}), Int64s({1}, {2})},
                {{"mode", "bidirectional"}}),
            "i32[2,2] {1, 1, 2, 2}");
  EXPECT_EQ(RunOp("Tile-0", {Int32s({1, 2}, {1, 2}), Int64s({2}, {2, 2})}),
            "i32[2,4] {1, 2, 1, 2, 1, 2, 1, 2}");
  EXPECT_EQ(RunOp("Tile-0", {Int32s({2}, {1, 2}), Int64s({2}, {2, 1})}),
            "i32[2,2] {1, 2, 1, 2}");
  EXPECT_EQ(RunOp("Eye-9", {Int32s({}, {2}), Int32s({}, {3}), Int32s({}, {1})}),
            "f32[2,3] {0, 1, 0, 0, 0, 1}");
  EXPECT_EQ(RunOp("Eye-9",
                {Int32s({}, {2}), Int32s({}, {2}), Int32s({}, {-1}),
                 Int64s({1}, {2})},
                {{"output_type", "u8"}}),
            "u8[2,2,2] {0, 0, 1, 0, 0, 0, 1, 0}");
}

TEST(RangeTest, GivesNumbers) {
  const Tensor zero = Int64s({}, {0});
  EXPECT_EQ(RunOp("Range-0", {Int64s({}, {5}), zero, Int64s({}, {-2})}),
            "i64[3] {5, 3, 1}");
  EXPECT_EQ(RunOp("Range-4", {zero, Int64s({}, {2}), Floats({}, {0.75})},
                {{"output_type", "f32"}}),
            "f32[3] {0, 0.75, 1.5}");
  EXPECT_EQ(RunOp("Range-4", {Floats({}, {0.9}), Floats({}, {5.9}),
                            Floats({}, {1.9})},
                {{"output_type", "i32"}}),
            "i32[5] {0, 1, 2, 3, 4}");
}

TEST(RangeTest, RefusesWhatIsNoRange) {
  const Tensor one = Floats({}, {1});
  for (double bad : {NAN, INFINITY, -INFINITY}) {
    EXPECT_THAT(RunOp("Range-0", {one, Floats({}, {bad}), one}),
                HasSubstr("finite numbers"));
    EXPECT_THAT(RunOp("Range-0", {one, one, Floats({}, {bad})}),
                HasSubstr("finite numbers"));
  }
  EXPECT_THAT(RunOp("Range-0", {one, one, Floats({}, {0})}),
              HasSubstr("other than 0"));
}

TEST(ShapeQueryTest, RefusesHugeOutputs) {
  const double huge = std::ldexp(1.0, 45);
  EXPECT_THAT(RunOp("Tile-0", {Floats({2}, {1, 2}),
                             Int64s({3}, {huge, huge, huge})}),
              HasSubstr("Tile-0"));
  EXPECT_THAT(RunOp("Tile-0", {Floats({2}, {1, 2}), Int64s({1}, {1e19})}),
              HasSubstr("Tile-0): the inputs make output 0 "
                        "f32[9223372036854775806..], which is nothing that a "
                        "tensor can be"));
  EXPECT_THAT(RunOp("Broadcast-3", {Floats({1}, {1}),
                                  Int64s({3}, {huge, huge, huge})}),
              HasSubstr("Broadcast-3"));
}

}  // namespace
}  // namespace dovetail
