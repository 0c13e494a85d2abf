#include <cstdint>
#include <string>
#include <vector>

#include "dovetail/core/ops/movement/table.h"
#include "dovetail/core/ops/testing/infer.h"
#include "dovetail/core/ops/testing/infer_cases.h"
#include "dovetail/core/ops/text/parse.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

const InferTester& Tester() {
  static const InferTester tester(MovementOps());
  return tester;
}

InputSpec Dynamic() { return F32(PartialShape::DynamicRank()); }
InputSpec I64s(int64_t length) { return I64({length}); }
const TextAttributes kSpecialZero = {{"special_zero", "true"}};

TEST(ReshapeTest, InfersShapes) {
  ExpectShapes(Tester(), {
      {"Reshape-1", {F32({2, 3, 4}), Ints({6, -1})}, {}, "f32[6,4]"},
      {"Reshape-1", {F32({2, 3, 4}), Ints({0, -1})}, kSpecialZero, "f32[2,12]"},
      {"Reshape-1", {F32({-1, 3, 4}), Ints({0, -1})}, kSpecialZero,
       "f32[?,12]"},
      {"Reshape-1", {F32({Dimension(1, 8), 3, 4}), Ints({-1, 6})}, {},
       "f32[2..16,6]"},
      {"Reshape-1", {F32({Dimension(1, 8), 3, 5}), Ints({-1, 6})}, {},
       "f32[3..20,6]"},
      {"Reshape-1", {F32({0, 3, 5}), Ints({-1, 0})}, {}, "f32[0,0]"},
      {"Reshape-1", {F32({2, 0, 4}), Ints({-1, 0, 2})}, kSpecialZero,
       "f32[4,0,2]"},
      {"Reshape-1", {F32({0, 3}), Ints({0, -1})}, kSpecialZero, "f32[0,3]"},
      {"Reshape-1", {Dynamic(), Ints({0, -1, 3})}, kSpecialZero, "f32[?,?,3]"},
      {"Reshape-1", {F32({2, 3}), I64s(2)}, {}, "f32[?,?]"},
      {"Reshape-1", {F32({2, 3}), I64s(-1)}, {}, "f32[...]"},
      {"Reshape-1", {F32({1, 1}), Int(1)}, {}, "f32[]"},
      {"Reshape-1", {F32({1}), Ints({})}, {}, "f32[]"},
  });
  EXPECT_EQ(Tester().Values("Reshape-1", {Ints({4, 5}), Ints({2, 1})}),
            "4, 5");
}

// An extent that is not known may be any beside one of 0.
TEST(ReshapeTest, LeavesExtentsOfNoElementsOpen) {
  const auto model = ParseModelText(R"(
    %x = Parameter-0() {shape: [0,4,8], element_type: f32}
    %n = Parameter-0() {shape: [1], element_type: i64}
    %z = Constant-0() {value: i64[1] {0}}
    %e = Constant-0() {value: i64[1] {8}}
    %p = Concat-0(%z, %n, %e) {axis: 0}
    %r = Reshape-1(%x, %p) {special_zero: false}
    %o = Result-0(%r) {}
  )");
  ASSERT_TRUE(model.ok()) << model.status();
  EXPECT_EQ(model->results()[0]->input(0).shape().ToString(), "[0,?,8]");
}

TEST(ReshapeTest, RefusesWhatDoesNotFit) {
  ExpectErrors(Tester(), {
      {"Reshape-1", {F32({2, 3}), Ints({4, -1})}, {}, "no multiple of 4"},
      {"Reshape-1", {F32({2, 3}), Ints({7})}, {}, "has 6 elements"},
      {"Reshape-1", {F32({2, 3}), Ints({-1, -1})}, {}, "-1 at 0 and at 1"},
      {"Reshape-1", {F32({2, 3}), Ints({-2, 3})}, {}, "has -2 at 0"},
      {"Reshape-1", {F32({6}), Ints({6, 0})}, kSpecialZero, "no such axis"},
      {"Reshape-1", {F32({2, 3}), Ints({0, -1})}, {}, "has elements"},
      {"Reshape-1", {F32({6}), F32({2})}, {}, "input 1 has type f32"},
  });
}

TEST(SqueezeTest, DropsOnes) {
  ExpectShapes(Tester(), {
      {"Squeeze-0", {F32({1, 3, 1}), Ints({0, -1})}, {}, "f32[3]"},
      {"Squeeze-0", {F32({1, 3, 1}), Int(0)}, {}, "f32[3,1]"},
      {"Squeeze-0", {F32({1, 3, 1})}, {}, "f32[3]"},
      {"Squeeze-0", {F32({-1, 1, 3}), Ints({0, 1})}, {}, "f32[3]"},
      {"Squeeze-0", {F32({-1, 1})}, {}, "f32[...]"},
      {"Squeeze-0", {F32({Dimension(2, 5), 1})}, {}, "f32[2..5]"},
      {"Squeeze-0", {F32({2, 1}), I64s(1)}, {}, "f32[?]"},
      {"Squeeze-0", {F32({2, 1}), Ints({0})}, {}, "f32[2,1]"},
      {"Squeeze-15",
       {F32({-1, 1}), Ints({0, 1})},
       {{"allow_axis_skip", "true"}},
       "f32[...]"},
  });
  ExpectErrors(Tester(),
               {{"Squeeze-0", {F32({2, 1}), Ints({2})}, {}, "axes, 2"}});
}

TEST(UnsqueezeTest, AddsOnes) {
  ExpectShapes(Tester(), {
      {"Unsqueeze-0", {F32({2, -1}), Ints({0, -1})}, {}, "f32[1,2,?,1]"},
      {"Unsqueeze-0", {F32({2}), I64s(1)}, {}, "f32[?,?]"},
      {"Unsqueeze-0", {Dynamic(), Ints({0})}, {}, "f32[...]"},
  });
  ExpectErrors(Tester(), {
      {"Unsqueeze-0", {F32({2}), Ints({1, 1})}, {}, "has axis 1 twice"},
      {"Unsqueeze-0", {F32({2}), Ints({3})}, {}, "axes, 3"},
  });
}

TEST(TransposeTest, OrdersAxes) {
  ExpectShapes(Tester(), {
      {"Transpose-1", {F32({2, -1, 4}), Ints({2, 0, 1})}, {}, "f32[4,2,?]"},
      {"Transpose-1", {F32({2, 3, 4}), Ints({})}, {}, "f32[4,3,2]"},
      {"Transpose-1", {F32({2, 3}), I64s(2)}, {}, "f32[?,?]"},
      {"Transpose-1", {Dynamic(), Ints({1, 0})}, {}, "f32[?,?]"},
  });
  const InputSpec matrix =
      ConstantOf(ElementType::kI64, {2, 2}, {1, 2, 3, 4});
  EXPECT_EQ(Tester().Values("Transpose-1", {matrix, Ints({1, 0})}),
            "1, 3, 2, 4");
  ExpectErrors(Tester(), {
      {"Transpose-1", {F32({2, 3}), Ints({0, 0})}, {}, "[0,0]"},
      {"Transpose-1", {F32({2, 3}), Ints({0, 2})}, {}, "[0,2]"},
      {"Transpose-1", {F32({2, 3}), Ints({0})}, {}, "want 2"},
  });
}

TEST(ConcatTest, AddsExtents) {
  ExpectShapes(Tester(), {
      {"Concat-0", {F32({1, 2}), F32({1, 3})}, {{"axis", "-1"}}, "f32[1,5]"},
      {"Concat-0",
       {F32({Dimension(1, 4), -1}), F32({Dimension(2, 8), 3})},
       {{"axis", "1"}},
       "f32[2..4,3..]"},
      {"Concat-0", {Dynamic(), F32({2, 3})}, {{"axis", "1"}}, "f32[2,3..]"},
  });
  EXPECT_EQ(Tester().Values("Concat-0", {Ints({7}), I64({1}), Ints({8})}),
            "7, ?, 8");
  ExpectErrors(Tester(), {
      {"Concat-0", {F32({1, 2}), F32({2, 2})}, {{"axis", "1"}},
       "has 2 on axis 0, want 1"},
      {"Concat-0", {F32({1}), F32({1, 2})}, {}, "want rank 1"},
      {"Concat-0", {F32({1}), I64({1})}, {}, "i64"},
      {"Concat-0", {F32({1})}, {{"axis", "1"}}, "axis 1"},
      {"Concat-0", {F32(Shape{}), F32(Shape{})}, {}, "scalar"},
  });
}

TEST(SplitTest, MakesEqualParts) {
  ExpectShapes(Tester(), {
      {"Split-1", {F32({2, 6}), Int(1)}, {{"num_splits", "3"}},
       "f32[2,2] f32[2,2] f32[2,2]"},
      {"Split-1", {F32({Dimension(3, 7), 3}), Int(0)}, {{"num_splits", "2"}},
       "f32[2..3,3] f32[2..3,3]"},
      {"Split-1", {F32({2, 6}), I64(Shape{})}, {{"num_splits", "2"}},
       "f32[?,?] f32[?,?]"},
  });
  ExpectErrors(Tester(), {
      {"Split-1", {F32({5}), Int(0)}, {{"num_splits", "2"}}, "not divide"},
      {"Split-1", {F32({5}), Int(0)}, {{"num_splits", "0"}}, "want 1 to"},
      {"Split-1", {F32({5}), Int(1)}, {{"num_splits", "1"}}, "axis, 1"},
      {"Split-1", {F32({5}), Ints({0})}, {{"num_splits", "1"}}, "want rank 0"},
  });
}

TEST(VariadicSplitTest, MakesParts) {
  ExpectShapes(Tester(), {
      {"VariadicSplit-1", {F32({4}), Int(0), Ints({-1, 1})}, {},
       "f32[3] f32[1]"},
      {"VariadicSplit-1", {F32({-1, 3}), Int(0), Ints({1, -1})}, {},
       "f32[1,3] f32[?,3]"},
      {"VariadicSplit-1", {F32({4, 3}), Int(0), I64s(2)}, {},
       "f32[0..4,3] f32[0..4,3]"},
      {"VariadicSplit-1", {F32({4, 3}), I64(Shape{}), Ints({1, 2})}, {},
       "f32[?,?] f32[?,?]"},
  });
  EXPECT_EQ(Tester().Values("VariadicSplit-1",
                            {Ints({7, 8, 9}), Int(0), Ints({2, 1})}),
            "7, 8");
  ExpectErrors(Tester(), {
      {"VariadicSplit-1", {F32({4}), Int(0), Ints({1, 2})}, {}, "sums to 3"},
      {"VariadicSplit-1", {F32({4}), Int(0), Ints({5, -1})}, {}, "sums to 5"},
      {"VariadicSplit-1", {F32({4}), Int(0), Ints({-1, -1})}, {},
       "at most one -1"},
      {"VariadicSplit-1", {F32({4}), Int(0), Ints({})}, {}, "0 elements"},
  });
}

// ellipsis, new axis and shrink masks in one.
TEST(StridedSliceTest, FollowsMasks) {
  const InputSpec data = F32({4, 3, 5, 6});
  ExpectShapes(Tester(), {
      {"StridedSlice-1",
       {data, Ints({1}), Ints({4}), Ints({2})},
       {},
       "f32[2,3,5,6]"},
      {"StridedSlice-1",
       {data, Ints({0, 0, 1}), Ints({0, 0, 2}), Ints({1, 1, 1})},
       {{"ellipsis_mask", "1,0,0"},
        {"new_axis_mask", "0,1,0"},
        {"begin_mask", "0,0,0"}},
       "f32[4,3,5,1,1]"},
      {"StridedSlice-1",
       {data, Ints({-1, 0}), Ints({0, 0}), Ints({1, 1})},
       {{"shrink_axis_mask", "1"}, {"end_mask", "0,1"}},
       "f32[3,5,6]"},
      {"StridedSlice-1",
       {F32({4}), Ints({0}), Ints({0}), Ints({-1})},
       {{"begin_mask", "1"}, {"end_mask", "1"}},
       "f32[4]"},
      {"StridedSlice-1", {F32({4}), Ints({1}), Ints({-1})}, {}, "f32[2]"},
      {"StridedSlice-1", {Dynamic(), Ints({1}), Ints({-1})}, {}, "f32[...]"},
  });
}

TEST(StridedSliceTest, BoundsWhatIsNotKnown) {
  const TextAttributes shrink = {{"shrink_axis_mask", "1"}};
  ExpectShapes(Tester(), {
      {"StridedSlice-1",
       {F32({Dimension(3, 9), 3}), Ints({1}), Ints({-1}), Ints({2})},
       {},
       "f32[1..4,3]"},
      {"StridedSlice-1", {F32({-1}), Ints({1}), Ints({5}), Ints({2})}, {},
       "f32[0..2]"},
      {"StridedSlice-1", {F32({-1}), Ints({-3}), Ints({100})}, {},
       "f32[0..3]"},
      {"StridedSlice-1", {F32({-1}), Ints({2}), Ints({INT64_MAX})}, {},
       "f32[?]"},
      {"StridedSlice-1", {F32({-1}), Ints({4}), Ints({-6}), Ints({-2})}, {},
       "f32[0..3]"},
      {"StridedSlice-1", {F32({4, 3}), I64s(1), Ints({6})}, {},
       "f32[0..4,3]"},
      {"StridedSlice-1", {F32({4, 3}), I64s(1), Ints({6})}, shrink, "f32[3]"},
  });
  EXPECT_EQ(Tester().Values("StridedSlice-1",
                            {Ints({7, 8, 9}), Ints({1}), Ints({9})}),
            "8, 9");
}

TEST(StridedSliceTest, RefusesWhatDoesNotFit) {
  ExpectErrors(Tester(), {
      {"StridedSlice-1",
       {F32({4}), Ints({5}), Ints({6})},
       {{"shrink_axis_mask", "1"}},
       "begin, has 5"},
      {"StridedSlice-1", {F32({4}), Ints({0}), Ints({1}), Ints({0})}, {},
       "has 0 at 0"},
      {"StridedSlice-1", {F32({4}), Ints({0, 0}), Ints({1, 1})}, {},
       "from 2 axes"},
      {"StridedSlice-1", {F32({4}), Ints({0, 0}), Ints({1})}, {}, "want 2"},
      {"StridedSlice-1",
       {F32({4}), Ints({0, 0}), Ints({1, 1})},
       {{"ellipsis_mask", "1,1"}},
       "once at most"},
      {"StridedSlice-1",
       {F32({4}), Ints({0}), Ints({1})},
       {{"end_mask", "2"}},
       "'end_mask' has 2, want 0 or 1"},
  });
}

TEST(SliceTest, InfersShapes) {
  ExpectShapes(Tester(), {
      {"Slice-8", {F32({4, 5}), Ints({1}), Ints({9}), Ints({2})}, {},
       "f32[2,5]"},
      {"Slice-8",
       {F32({4, 5}), Ints({-1}), Ints({INT64_MIN}), Ints({-2}), Ints({1})},
       {},
       "f32[4,3]"},
      {"Slice-8",
       {F32({Dimension(3, 9)}), Ints({-4}), Ints({7}), Ints({1})},
       {},
       "f32[2..4]"},
      {"Slice-8", {F32({3, 4}), Ints({0}), Ints({1}), Ints({1}), I64s(1)}, {},
       "f32[0..3,0..4]"},
      {"Slice-8", {Dynamic(), Ints({1}), Ints({9}), Ints({2})}, {},
       "f32[...]"},
      // Backwards from element 4 to the one before the sixth from the end: 2 of
      // 4 elements, 3 of 5, 2 of 6.
      {"Slice-8",
       {F32({Dimension(4, 6)}), Ints({4}), Ints({-6}), Ints({-2})},
       {},
       "f32[2..3]"},
  });
  ExpectErrors(Tester(), {
      {"Slice-8", {F32({3, 3}), Ints({1}), Ints({2}), Ints({0})}, {},
       "step, has 0"},
      {"Slice-8",
       {F32({3, 3}), Ints({1, 1}), Ints({2, 2}), Ints({1, 1}), Ints({0, -2})},
       {},
       "twice"},
      {"Slice-8", {F32({3}), Ints({1, 1}), Ints({2, 2}), Ints({1, 1})}, {},
       "2 elements"},
      {"Slice-8", {F32({3}), Int(1), Ints({2}), Ints({1})}, {}, "want rank 1"},
  });
}

TEST(SliceScatterTest, ChecksUpdates) {
  const std::vector<InputSpec> bounds = {Ints({1}), Ints({3}), Ints({1})};
  ExpectShapes(Tester(), {{"SliceScatter-15",
                 {F32({3, 3}), F32({2, 3}), bounds[0], bounds[1], bounds[2]},
                 {},
                 "f32[3,3]"},
                {"SliceScatter-15",
                 {F32({-1, 3}), F32({2, 3}), bounds[0], bounds[1], bounds[2]},
                 {},
                 "f32[?,3]"},
                {"SliceScatter-15",
                 {Dynamic(), F32({2, 3}), bounds[0], bounds[1], bounds[2]},
                 {},
                 "f32[?,?]"}});
  ExpectErrors(Tester(), {{"SliceScatter-15",
                 {F32({3, 3}), F32({1, 3}), bounds[0], bounds[1], bounds[2]},
                 {},
                 "want [2,3]"}});
}

TEST(PadTest, InfersShapes) {
  const TextAttributes reflect = {{"pad_mode", "reflect"}};
  ExpectShapes(Tester(), {
      {"Pad-1", {F32({3, -1}), Ints({1, 2}), Ints({0, 3})}, {}, "f32[4,5..]"},
      {"Pad-12",
       {F32({Dimension(2, 5)}), Ints({4}), Ints({-1}),
        F32(Shape{})},
       {},
       "f32[5..8]"},
      {"Pad-12", {F32({3}), I64s(1), Ints({0})}, {}, "f32[?]"},
      {"Pad-12", {F32({3}), Ints({-2}), Ints({-1})}, {}, "f32[0]"},
      {"Pad-12", {F32({-1, 3}), I64s(2), I64s(2)}, {}, "f32[?,?]"},
      {"Pad-1", {F32({3, 5}), Ints({0, 1}), Ints({0, 2})}, reflect,
       "f32[3,8]"},
      {"Pad-1", {Dynamic(), I64s(2), I64s(2)}, {}, "f32[?,?]"},
  });
  EXPECT_EQ(Tester().Values("Pad-12", {Ints({4, 5}), Ints({1}), Ints({-1})}),
            "0, 4");
  EXPECT_EQ(Tester().Values("Pad-1", {Ints({4}), Ints({0}), Ints({1}), Int(7)}),
            "4, 7");
  EXPECT_EQ(Tester().Values("Pad-1", {Ints({4, 5}), Ints({1}), Ints({0})},
                            reflect),
            "unknown");
  ExpectErrors(Tester(), {
      {"Pad-12", {F32({3}), Ints({-2}), Ints({-2})}, {}, "no possible extent"},
      {"Pad-1", {F32({3}), Ints({-4}), Ints({0})}, {}, "no possible extent"},
      {"Pad-12", {F32({3}), Ints({3}), Ints({0})}, reflect, "at most 2"},
      {"Pad-12", {F32({3}), Ints({4}), Ints({0})},
       {{"pad_mode", "symmetric"}}, "at most 3"},
      {"Pad-12", {F32({0}), Ints({1}), Ints({0})}, {{"pad_mode", "edge"}},
       "at most 0"},
      {"Pad-12", {F32({3}), Ints({1, 1}), Ints({0})}, {}, "want 1"},
      {"Pad-12", {F32({3}), Ints({INT64_MAX}), Ints({INT64_MAX})}, {},
       "no possible extent"},
      {"Pad-12", {F32({3}), Ints({1}), Ints({0}), I64(Shape{})}, {}, "i64"},
  });
}

TEST(LayoutTest, InfersShapes) {
  ExpectShapes(Tester(), {
      {"Reverse-1", {F32({2, -1}), Ints({-1})}, {}, "f32[2,?]"},
      {"ReverseSequence-0", {F32({-1, 3}), I32({4})}, {}, "f32[4,3]"},
      {"Roll-7", {F32({2, -1}), Int(1), Ints({0, 1})}, {}, "f32[2,?]"},
      {"ShuffleChannels-0", {F32({2, 6})}, {{"group", "3"}}, "f32[2,6]"},
      {"SpaceToBatch-1",
       {F32({5, Dimension(3, 9)}), Ints({1, 2}), Ints({0, 1}), Ints({0, 2})},
       {},
       "f32[10,3..6]"},
      {"BatchToSpace-1",
       {F32({Dimension(4, 9), Dimension(3, 9)}), Ints({1, 2}), Ints({0, 1}),
        Ints({0, 2})},
       {},
       "f32[2..4,3..15]"},
      {"BatchToSpace-1", {F32({4, 3}), I64s(2), Ints({0, 1}), Ints({0, 2})},
       {}, "f32[1..4,?]"},
      {"BatchToSpace-1", {F32({12, 5}), Ints({1, 2}), I64s(2), I64s(2)}, {},
       "f32[6,0..10]"},
      {"BatchToSpace-1", {Dynamic(), Ints({1, 2}), I64s(2), I64s(2)}, {},
       "f32[?,?]"},
      {"SpaceToBatch-1", {F32({3, 4}), Ints({1, 2}), I64s(2), I64s(2)}, {},
       "f32[6,2..]"},
      {"DepthToSpace-0", {F32({1, Dimension(3, 9), 2, 2})},
       {{"block_size", "2"}}, "f32[1,1..2,4,4]"},
      {"SpaceToDepth-0", {F32({1, 3, 2, Dimension(2, 7)})},
       {{"block_size", "2"}, {"mode", "depth_first"}}, "f32[1,12,1,1..3]"},
  });
}

TEST(LayoutTest, RefusesWhatDoesNotFit) {
  ExpectErrors(Tester(), {
      {"Reverse-1", {F32({2}), Ints({1})}, {}, "axes, 1"},
      {"Reverse-1", {F32({2}), Ints({1})}, {{"mode", "mask"}}, "boolean"},
      {"ReverseSequence-0", {F32({5, 3}), I32({4})}, {}, "has 4 elements"},
      {"ReverseSequence-0", {F32({5, 3}), I32({5})}, {{"seq_axis", "0"}},
       "want two axes"},
      {"Roll-7", {F32({5}), Ints({1, 2}), Ints({0})}, {}, "2"},
      {"ShuffleChannels-0", {F32({2, 5})}, {{"group", "2"}}, "not divide"},
      {"SpaceToBatch-1",
       {F32({5, 4}), Ints({1, 3}), Ints({0, 1}), Ints({0, 2})},
       {},
       "does not divide"},
      {"SpaceToBatch-1",
       {F32({5, 4}), Ints({2, 1}), Ints({0, 0}), Ints({0, 0})},
       {},
       "for the batch, want 1"},
      {"BatchToSpace-1",
       {F32({4, 1}), Ints({1, 2}), Ints({0, 2}), Ints({0, 2})},
       {},
       "crop 4 of 2"},
      {"DepthToSpace-0", {F32({1, 3, 2})}, {{"block_size", "2"}},
       "multiple of 2"},
      {"DepthToSpace-0", {F32({1, 3, 2})}, {{"block_size", "0"}}, "block_size"},
      {"SpaceToDepth-0", {F32({1, 3, 3})}, {{"block_size", "2"}},
       "multiple of 2"},
      {"SpaceToDepth-0", {F32({1, 3})}, {}, "rank"},
  });
}

}  // namespace
}  // namespace dovetail
