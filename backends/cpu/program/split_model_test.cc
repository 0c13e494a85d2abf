#include "dovetail/backends/cpu/program/split_model.h"

#include <string>
#include <vector>

#include "dovetail/core/ops/text/parse.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail::cpu {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> Names(const std::vector<const Node*>& nodes) {
  std::vector<std::string> names;
  for (const Node* node : nodes) names.push_back(node->name());
  return names;
}

TEST(SplitModelTest, StaticShapesAreAllPlanned) {
  const auto model = ParseModelText(R"(
    %x = Parameter-0() {shape: [2], element_type: f32}
    %a = Relu-0(%x) {}  # a
    %unused = Sin-0(%x) {}  # unused
    %out = Result-0(%a) {}
  )");
  ASSERT_TRUE(model.ok()) << model.status();
  const auto split = SplitModel(*model);
  ASSERT_TRUE(split.ok()) << split.status();
  EXPECT_TRUE(split->everything_is_planned());
  EXPECT_THAT(Names(split->planned), ElementsAre("a"));
}

TEST(SplitModelTest, WhatDependsOnDataDecidesAboutTheRest) {
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
  const auto split = SplitModel(*model);
  ASSERT_TRUE(split.ok()) << split.status();
  EXPECT_THAT(Names(split->planned), ElementsAre("a", "b"));
  EXPECT_THAT(Names(split->deciding), ElementsAre("where"));
  EXPECT_THAT(Names(split->later), ElementsAre("f"));

  const auto nothing = SplitModel(*model, /*plan_nothing=*/true);
  ASSERT_TRUE(nothing.ok()) << nothing.status();
  EXPECT_THAT(nothing->planned, IsEmpty());
  EXPECT_THAT(Names(nothing->deciding), ElementsAre("a", "where", "f", "b"));
}

TEST(SplitModelTest, AVariableIsWrittenAfterItIsRead) {
  const auto model = ParseModelText(R"(
    %x = Parameter-0() {shape: [2], element_type: f32}
    %start = Constant-0() {value: f32[1] {10}}
    %old = ReadValue-6(%start) {variable_id: "v", variable_type: f32, variable_shape: [?]}  # old
    %n = ShapeOf-3(%old) {output_type: i64}  # n
    %keep = Assign-6(%x) {variable_id: "v"}  # keep
    %out = Result-0(%n) {}
  )");
  ASSERT_TRUE(model.ok()) << model.status();
  const auto split = SplitModel(*model);
  ASSERT_TRUE(split.ok()) << split.status();
  EXPECT_THAT(Names(split->planned), IsEmpty());
  EXPECT_THAT(Names(split->deciding), ElementsAre("old"));
  EXPECT_THAT(Names(split->later), ElementsAre("n", "keep"));
}

TEST(SplitModelTest, StringsAreNotPlanned) {
  const auto model = ParseModelText(R"(
    %x = Parameter-0() {shape: [2], element_type: string}
    %y = Identity-16(%x) {}  # y
    %out = Result-0(%y) {}
  )");
  ASSERT_TRUE(model.ok()) << model.status();
  const auto split = SplitModel(*model);
  ASSERT_TRUE(split.ok()) << split.status();
  EXPECT_THAT(Names(split->deciding), ElementsAre("y"));
}

TEST(SplitModelTest, WhatNoMemoryCouldHoldIsNotPlanned) {
  const auto model = ParseModelText(R"(
    %x = Parameter-0() {shape: [1], element_type: f32}
    %huge = Constant-0() {value: i64[2] {4194304, 4194304}}
    %y = Broadcast-3(%x, %huge) {mode: numpy}  # y
    %out = Result-0(%y) {}
  )");
  ASSERT_TRUE(model.ok()) << model.status();
  const auto split = SplitModel(*model);
  ASSERT_TRUE(split.ok()) << split.status();
  EXPECT_THAT(Names(split->planned), IsEmpty());
}

}  // namespace
}  // namespace dovetail::cpu
