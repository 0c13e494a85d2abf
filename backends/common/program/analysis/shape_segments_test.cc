#include "dovetail/backends/common/program/analysis/shape_segments.h"

#include <vector>

#include "dovetail/backends/common/program/analysis/testing/names.h"
#include "dovetail/core/ops/text/parse.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class SegmentsOf {
 public:
  explicit SegmentsOf(absl::string_view text) : model_(ParseModelText(text)) {
    EXPECT_TRUE(model_.ok()) << model_.status();
    auto segments = SplitIntoSegments(*model_);
    EXPECT_TRUE(segments.ok()) << segments.status();
    segments_ = *std::move(segments);
  }

  size_t size() const { return segments_.size(); }
  const ModelSegment& operator[](int i) const { return segments_[i]; }
  bool are_mostly_fixed() const { return IsMostlyFixed(segments_); }

 private:
  absl::StatusOr<Model> model_;
  std::vector<ModelSegment> segments_;
};

// A step of a decoder: `past` grows, `x` does not.
constexpr absl::string_view kDecoder = R"(
  %x = Parameter-0() {shape: [1,4], element_type: f32}  # x
  %past = Parameter-0() {shape: [?,4], element_type: f32}  # past
  %key = Relu-0(%x) {}  # key
  %all = Concat-0(%past, %key) {axis: 0}  # all
  %scores = MatMul-0(%x, %all) {transpose_a: false, transpose_b: true}  # scores
  %weights = Softmax-8(%scores) {axis: -1}  # weights
  %y = MatMul-0(%weights, %all) {transpose_a: false, transpose_b: false}  # y
  %z = Relu-0(%y) {}  # z
  %out = Result-0(%z) {}
)";

TEST(SplitIntoSegmentsTest, WhatSeesNoLengthIsFixed) {
  const SegmentsOf segments(kDecoder);
  ASSERT_EQ(segments.size(), 3u);
  EXPECT_TRUE(segments[0].is_fixed);
  EXPECT_THAT(Names(segments[0].nodes), ElementsAre("key"));
  EXPECT_THAT(Names(segments[0].inputs), ElementsAre("x"));
  EXPECT_THAT(Names(segments[0].outputs), ElementsAre("key"));
  EXPECT_FALSE(segments[1].is_fixed);
  EXPECT_THAT(Names(segments[1].nodes),
              ElementsAre("all", "scores", "weights", "y"));
  EXPECT_THAT(Names(segments[1].outputs), ElementsAre("y"));
  EXPECT_TRUE(segments[2].is_fixed);
  EXPECT_THAT(Names(segments[2].nodes), ElementsAre("z"));
  EXPECT_FALSE(segments.are_mostly_fixed());
}

// The target of the Reshape is known in the segment only if it is computed
// there.
TEST(SplitIntoSegmentsTest, ExtentsAreComputedWhereTheyAreNeeded) {
  const SegmentsOf segments(R"(
    %x = Parameter-0() {shape: [1], element_type: f32}  # x
    %n = Parameter-0() {shape: [?], element_type: f32}  # n
    %extent = ShapeOf-3(%n) {output_type: i64}  # extent
    %a = Broadcast-3(%x, %extent) {mode: NUMPY}  # a
    %axis = Constant-0() {value: i64[1] {0}}
    %s = ReduceSum-1(%a, %axis) {keep_dims: true}  # s
    %f = Relu-0(%s) {}  # f
    %b = Broadcast-3(%f, %extent) {mode: NUMPY}  # b
    %out = Result-0(%b) {}
  )");
  ASSERT_EQ(segments.size(), 3u);
  EXPECT_THAT(Names(segments[0].nodes), ElementsAre("extent", "a", "s"));
  EXPECT_THAT(Names(segments[0].outputs), ElementsAre("s"));
  EXPECT_THAT(Names(segments[1].nodes), ElementsAre("f"));
  EXPECT_THAT(Names(segments[2].nodes), ElementsAre("extent", "b"));
  EXPECT_THAT(Names(segments[2].inputs), ElementsAre("n", "f"));
}

// What is made of constants is in each segment that reads it.
TEST(SplitIntoSegmentsTest, WeightsGoWithWhatReadsThem) {
  const SegmentsOf segments(R"(
    %x = Parameter-0() {shape: [4,4], element_type: f32}  # x
    %n = Parameter-0() {shape: [?,4], element_type: f32}  # n
    %c = Constant-0() {value: f16[4] {1, 2, 3, 4}}
    %w = Convert-0(%c) {destination_type: f32}  # w
    %a = MatMul-0(%x, %w) {transpose_a: false, transpose_b: false}  # a
    %b = MatMul-0(%n, %w) {transpose_a: false, transpose_b: false}  # b
    %out = Result-0(%a) {}
    %other = Result-0(%b) {}
  )");
  ASSERT_EQ(segments.size(), 2u);
  EXPECT_THAT(Names(segments[0].nodes), ElementsAre("w", "a"));
  EXPECT_THAT(Names(segments[0].outputs), ElementsAre("a"));
  EXPECT_THAT(Names(segments[1].nodes), ElementsAre("w", "b"));
  EXPECT_THAT(Names(segments[1].inputs), ElementsAre("n"));
}

// A number that is computed with, such as a position, is read as a tensor.
TEST(SplitIntoSegmentsTest, ExtentsThatFixedNodesReadAreOutputs) {
  const SegmentsOf segments(R"(
    %n = Parameter-0() {shape: [?], element_type: f32}  # n
    %extent = ShapeOf-3(%n) {output_type: i64}  # extent
    %position = Convert-0(%extent) {destination_type: f32}  # position
    %sine = Sin-0(%position) {}  # sine
    %out = Result-0(%sine) {}
  )");
  ASSERT_EQ(segments.size(), 2u);
  EXPECT_THAT(Names(segments[0].nodes), ElementsAre("extent"));
  EXPECT_THAT(Names(segments[0].outputs), ElementsAre("extent"));
  EXPECT_TRUE(segments[1].is_fixed);
  EXPECT_THAT(Names(segments[1].nodes), ElementsAre("position", "sine"));
  EXPECT_TRUE(segments.are_mostly_fixed());
}

// What the second segment that varies reads is not computed in the first.
TEST(SplitIntoSegmentsTest, WhatVariesIsComputedWhereItIsRead) {
  const SegmentsOf segments(R"(
    %x = Parameter-0() {shape: [4], element_type: f32}  # x
    %n = Parameter-0() {shape: [?,4], element_type: f32}  # n
    %axis = Constant-0() {value: i64[1] {0}}
    %first = Add-1(%n, %x) {}  # first
    %s = ReduceSum-1(%first, %axis) {keep_dims: false}  # s
    %f = Relu-0(%s) {}  # f
    %late = Abs-0(%n) {}  # late
    %last = Add-1(%late, %f) {}  # last
    %out = Result-0(%last) {}
  )");
  ASSERT_EQ(segments.size(), 3u);
  EXPECT_THAT(Names(segments[0].nodes), ElementsAre("first", "s"));
  EXPECT_THAT(Names(segments[2].nodes), ElementsAre("late", "last"));
}

TEST(SplitIntoSegmentsTest, StaticShapesAreOneFixedSegment) {
  const SegmentsOf segments(R"(
    %x = Parameter-0() {shape: [2], element_type: f32}
    %a = Relu-0(%x) {}  # a
    %unused = Sin-0(%x) {}  # unused
    %out = Result-0(%a) {}
  )");
  ASSERT_EQ(segments.size(), 1u);
  EXPECT_THAT(Names(segments[0].nodes), ElementsAre("a"));
  EXPECT_TRUE(segments.are_mostly_fixed());
}

}  // namespace
}  // namespace dovetail
