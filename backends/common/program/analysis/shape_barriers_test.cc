#include "dovetail/backends/common/program/analysis/shape_barriers.h"

#include <string>
#include <vector>

#include "dovetail/backends/common/program/analysis/testing/names.h"
#include "dovetail/core/ops/text/parse.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(SplitAtShapeBarriersTest, StaticShapesAreAllPlanned) {
  const auto model = ParseModelText(R"(
    %x = Parameter-0() {shape: [2], element_type: f32}
    %a = Relu-0(%x) {}  # a
    %unused = Sin-0(%x) {}  # unused
    %out = Result-0(%a) {}
  )");
  ASSERT_TRUE(model.ok()) << model.status();
  const auto split = SplitAtShapeBarriers(*model);
  ASSERT_TRUE(split.ok()) << split.status();
  EXPECT_TRUE(split->all_planned());
  EXPECT_THAT(Names(split->planned), ElementsAre("a"));
}

TEST(SplitAtShapeBarriersTest, WhatDependsOnDataDefersWhatReadsIt) {
  const auto model = ParseModelText(R"(
    %x = Parameter-0() {shape: [2,3], element_type: f32}
    %a = Relu-0(%x) {}  # a
    %where = NonZero-3(%a) {output_type: i64}  # where
    %f = Convert-0(%where) {destination_type: f32}  # f
    %b = Abs-0(%a) {}  # b
    %out = Result-0(%f) {}
    %other = Result-0(%b) {}
  )");
  ASSERT_TRUE(model.ok()) << model.status();
  const auto split = SplitAtShapeBarriers(*model);
  ASSERT_TRUE(split.ok()) << split.status();
  EXPECT_THAT(Names(split->planned), ElementsAre("a", "b"));
  EXPECT_THAT(Names(split->barriers), ElementsAre("where"));
  EXPECT_THAT(Names(split->deferred), ElementsAre("f"));

  const auto nothing = SplitAtShapeBarriers(*model, /*plan_nothing=*/true);
  ASSERT_TRUE(nothing.ok()) << nothing.status();
  EXPECT_THAT(nothing->planned, IsEmpty());
  EXPECT_THAT(Names(nothing->barriers), ElementsAre("a", "where", "f", "b"));
}

TEST(SplitAtShapeBarriersTest, WeightsGoWithWhatReadsThem) {
  const auto model = ParseModelText(R"(
    %x = Parameter-0() {shape: [2,3], element_type: f32}
    %w = Constant-0() {value: f16[2] {1, 2}}
    %v = Constant-0() {value: f16[2] {1, 2}}
    %a = Convert-0(%w) {destination_type: f32}  # a
    %b = Negative-0(%a) {}  # b
    %c = Convert-0(%v) {destination_type: f32}  # c
    %where = NonZero-3(%x) {output_type: i64}  # where
    %f = Convert-0(%where) {destination_type: f32}  # f
    %g = MatMul-0(%b, %f) {transpose_a: false, transpose_b: false}  # g
    %h = MatMul-0(%c, %f) {transpose_a: false, transpose_b: false}  # h
    %out = Result-0(%g) {}
    %other = Result-0(%h) {}
    %weights = Result-0(%c) {}
  )");
  ASSERT_TRUE(model.ok()) << model.status();
  const auto split = SplitAtShapeBarriers(*model);
  ASSERT_TRUE(split.ok()) << split.status();
  EXPECT_THAT(Names(split->planned), ElementsAre("c"));
  EXPECT_THAT(Names(split->barriers), ElementsAre("where"));
  EXPECT_THAT(Names(split->deferred), ElementsAre("a", "b", "f", "g", "h"));
}

TEST(SplitAtShapeBarriersTest, AVariableIsWrittenAfterItIsRead) {
  const auto model = ParseModelText(R"(
    %x = Parameter-0() {shape: [2], element_type: f32}
    %start = Constant-0() {value: f32[1] {10}}
    %old = ReadValue-6(%start) {variable_id: "v", variable_type: f32, variable_shape: [?]}  # old
    %n = ShapeOf-3(%old) {output_type: i64}  # n
    %keep = Assign-6(%x) {variable_id: "v"}  # keep
    %out = Result-0(%n) {}
  )");
  ASSERT_TRUE(model.ok()) << model.status();
  const auto split = SplitAtShapeBarriers(*model);
  ASSERT_TRUE(split.ok()) << split.status();
  EXPECT_THAT(Names(split->planned), IsEmpty());
  EXPECT_THAT(Names(split->barriers), ElementsAre("old"));
  EXPECT_THAT(Names(split->deferred), ElementsAre("n", "keep"));
}

TEST(SplitAtShapeBarriersTest, StringsAreNotPlanned) {
  const auto model = ParseModelText(R"(
    %x = Parameter-0() {shape: [2], element_type: string}
    %y = Identity-16(%x) {}  # y
    %out = Result-0(%y) {}
  )");
  ASSERT_TRUE(model.ok()) << model.status();
  const auto split = SplitAtShapeBarriers(*model);
  ASSERT_TRUE(split.ok()) << split.status();
  EXPECT_THAT(Names(split->barriers), ElementsAre("y"));
}

TEST(SplitAtShapeBarriersTest, WhatNoMemoryCouldHoldIsNotPlanned) {
  const auto model = ParseModelText(R"(
    %x = Parameter-0() {shape: [1], element_type: f32}
    %huge = Constant-0() {value: i64[2] {4194304, 4194304}}
    %y = Broadcast-3(%x, %huge) {mode: numpy}  # y
    %out = Result-0(%y) {}
  )");
  ASSERT_TRUE(model.ok()) << model.status();
  const auto split = SplitAtShapeBarriers(*model);
  ASSERT_TRUE(split.ok()) << split.status();
  EXPECT_THAT(Names(split->planned), IsEmpty());
}

}  // namespace
}  // namespace dovetail
