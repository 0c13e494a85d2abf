#include <string>
#include <vector>

#include "dovetail/core/ops/shape_query/table.h"
#include "dovetail/core/ops/testing/infer.h"
#include "dovetail/core/ops/testing/infer_cases.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

const InferTester& Tester() {
  static const InferTester tester(ShapeQueryOps());
  return tester;
}

TEST(ShapeOfTest, GivesExtents) {
  ExpectShapes(Tester(), {
      {"ShapeOf-0", {F32({2, 3})}, {}, "i64[2]"},
      {"ShapeOf-3", {F32({2, -1})}, {{"output_type", "i32"}}, "i32[2]"},
      {"ShapeOf-3", {F32(PartialShape::DynamicRank())}, {}, "i64[?]"},
  });
  EXPECT_EQ(Tester().Values("ShapeOf-3", {F32({2, Dimension(1, 8)})}),
            "2, 1..8");
  ExpectErrors(Tester(), {{"ShapeOf-3", {F32({2})}, {{"output_type", "f32"}},
                 "want i32 or i64"}});
}

TEST(RangeTest, CountsNumbers) {
  const InputSpec half = ConstantOf(ElementType::kF32, {}, {0.5});
  ExpectShapes(Tester(), {
      {"Range-0", {Int(0), Int(5), Int(2)}, {}, "i64[3]"},
      {"Range-0", {Int(0), Int(5), Int(-2)}, {}, "i64[0]"},
      {"Range-4", {Int(0), Int(2), half}, {{"output_type", "f32"}}, "f32[4]"},
      {"Range-4", {Int(0), I64(Shape{}), Int(1)}, {{"output_type", "i64"}},
       "i64[?]"},
  });
  EXPECT_EQ(Tester().Values("Range-0", {Int(5), Int(0), Int(-2)}), "5, 3, 1");
  ExpectErrors(Tester(), {
      {"Range-0", {Int(0), Int(5), Int(0)}, {}, "step other than 0"},
      {"Range-0", {Int(0), Int(5), half}, {}, "type"},
      {"Range-0", {Int(0), Ints({5, 6}), Int(1)}, {}, "input 1"},
      // Integer outputs take integer steps.
      {"Range-4", {Int(0), Int(5), half}, {{"output_type", "i32"}},
       "step other than 0"},
  });
}

TEST(BroadcastTest, InfersShapes) {
  const TextAttributes is_explicit = {{"mode", "explicit"}};
  const TextAttributes pdpd = {{"mode", "pdpd"}};
  const TextAttributes both = {{"mode", "bidirectional"}};
  ExpectShapes(Tester(), {
      {"Broadcast-3", {F32({1, 3}), Ints({2, 4, 3})}, {}, "f32[2,4,3]"},
      {"Broadcast-3", {F32({-1, 3}), Ints({4, 3})}, {}, "f32[4,3]"},
      {"Broadcast-3", {F32({-1, 3}), I64({2})}, {}, "f32[?,3]"},
      {"Broadcast-3", {F32({-1, 3}), I64({-1})}, {}, "f32[...]"},
      {"Broadcast-3", {F32({2, 3}), Ints({5, 1, 1})}, both, "f32[5,2,3]"},
      {"Broadcast-3", {F32({-1, 3}), Ints({5, 1, 1})}, both, "f32[5,?,3]"},
      {"Broadcast-3", {F32({3}), Ints({2, 3, 4}), Ints({1})}, is_explicit,
       "f32[2,3,4]"},
      {"Broadcast-1", {F32({2, 1}), Ints({2, 3, 4})}, pdpd, "f32[2,3,4]"},
  });
  EXPECT_EQ(Tester().Values("Broadcast-3", {Int(7), Ints({2})}), "7, 7");
  ExpectErrors(Tester(), {
      {"Broadcast-3", {F32({2, 3}), Ints({4, 3})}, {}, "want 1 or 4"},
      {"Broadcast-3", {F32({2, 3}), Ints({3})}, {}, "at most rank 1"},
      {"Broadcast-3", {F32({3}), Ints({-3})}, {}, "has -3 at 0"},
      {"Broadcast-3", {F32({3}), Ints({2, 4})}, both, "does not broadcast"},
      {"Broadcast-3", {F32({3}), Ints({3})}, is_explicit, "want 3"},
      {"Broadcast-3", {F32({3, 2}), Ints({2, 3}), Ints({1, 0})}, is_explicit,
       "ascending"},
      {"Broadcast-3", {F32({3}), Ints({2, 3}), Ints({2})}, is_explicit,
       "axes_mapping, 2"},
  });
}

TEST(TileTest, Multiplies) {
  ExpectShapes(Tester(), {
      {"Tile-0", {F32({Dimension(2, 4), 3}), Ints({2, 3, 1})}, {},
       "f32[2,6..12,3]"},
      {"Tile-0", {F32({2, 3}), Ints({-2})}, {}, "f32[2,0]"},
      {"Tile-0", {F32({2, 3}), I64({3})}, {}, "f32[?,?,?]"},
  });
  EXPECT_EQ(Tester().Values("Tile-0", {Ints({1, 2}), Ints({2})}),
            "1, 2, 1, 2");
  ExpectErrors(Tester(), {{"Tile-0", {F32({2}), Int(2)}, {}, "want rank 1"}});
}

TEST(EyeTest, InfersShapes) {
  ExpectShapes(Tester(), {
      {"Eye-9", {I64(Shape{}), Ints({3}), Int(0)}, {}, "f32[?,3]"},
      {"Eye-9", {Int(2), Int(3), Int(0), Ints({4, 5})},
       {{"output_type", "i8"}}, "i8[4,5,2,3]"},
      {"Eye-9", {Int(2), Int(3), Int(0), I64({1})}, {}, "f32[?,2,3]"},
  });
  ExpectErrors(Tester(), {
      {"Eye-9", {Int(-2), Int(3), Int(0)}, {}, "is -2"},
      {"Eye-9", {Int(2), Int(3), Int(0)}, {{"output_type", "string"}},
       "output 0 has type string"},
  });
}

}  // namespace
}  // namespace dovetail
