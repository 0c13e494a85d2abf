#include "dovetail/backends/batch/proof/batch_axes.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "dovetail/testing/graphs/small_models.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail::batch {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

// A model of an input, lines that make %y of %x, and its output.
Model WithLines(const std::string& shape, const std::string& lines,
                const std::string& layout = "") {
  Model model = ModelOf(
      absl::StrCat("model \"m\"\n  %x = Parameter-0() {shape: ", shape,
                   ", element_type: f32} : f32", shape, " \"x\"  # in\n", lines,
                   "\n  %o = Result-0(%y) {}  # out\n"));
  if (!layout.empty()) {
    model.parameters()[0]->rt_info().Set({"layout_0", "layout"}, layout);
  }
  return model;
}

int OutputAxis(const Model& model) {
  const auto axes = FindBatchAxes(model);
  EXPECT_TRUE(axes.ok()) << axes.status();
  return axes.ok() ? axes->outputs[0] : -1;
}

std::string Reason(const Model& model) {
  return std::string(FindBatchAxes(model).status().message());
}

constexpr char kReshape[] = R"(
  %p = Constant-0() {value: i64[2] {0, -1}} : i64[2]
  %y = Reshape-1(%x, %p) {special_zero: true} : f32[1,6] "y"  # flat)";

TEST(BatchAxesTest, RowsAreFollowedToTheOutputs) {
  EXPECT_EQ(OutputAxis(ChainModel()), 0);
  EXPECT_EQ(OutputAxis(TwoByTwoModel()), 0);
  EXPECT_EQ(OutputAxis(WithLines("[1,2,3]", kReshape)), 0);
  EXPECT_EQ(OutputAxis(WithLines("[1,2,3]", R"(
  %p = Constant-0() {value: i64[3] {1, 0, 2}} : i64[3]
  %y = Transpose-1(%x, %p) {} : f32[2,1,3] "y"  # turn)")),
            1);
  EXPECT_EQ(OutputAxis(WithLines("[1,3]", R"(
  %w = Constant-0() {value: f32[3,2] {1, 2, 3, 4, 5, 6}} : f32[3,2]
  %y = MatMul-0(%x, %w) {} : f32[1,2] "y"  # dense)")),
            0);
}

TEST(BatchAxesTest, ALayoutSaysWhereRowsAre) {
  const Model model = WithLines(
      "[3,1]", R"(  %y = Softmax-8(%x) {axis: 0} : f32[3,1] "y"  # s)",
      "[C,N]");
  const auto axes = FindBatchAxes(model);
  ASSERT_TRUE(axes.ok()) << axes.status();
  EXPECT_THAT(axes->inputs, ElementsAre(1));
  EXPECT_THAT(axes->outputs, ElementsAre(1));
  const auto three = BatchOf(model, axes->inputs, 3);
  ASSERT_TRUE(three.ok()) << three.status();
  EXPECT_EQ((*three)->results()[0]->input(0).shape().ToString(), "[3,3]");
}

// Shapes that are computed from the input's are no rows.
TEST(BatchAxesTest, ShapesMayDependOnTheBatch) {
  EXPECT_EQ(OutputAxis(WithLines("[1,2,3]", R"(
  %s = ShapeOf-3(%x) {output_type: i64} : i64[3]
  %i = Constant-0() {value: i64[1] {0}} : i64[1]
  %a = Constant-0() {value: i64[] {0}} : i64[]
  %n = Gather-8(%s, %i, %a) {batch_dims: 0} : i64[1]
  %m = Constant-0() {value: i64[1] {-1}} : i64[1]
  %p = Concat-0(%n, %m) {axis: 0} : i64[2]
  %y = Reshape-1(%x, %p) {special_zero: false} : f32[1,6] "y"  # flat)")),
            0);
  EXPECT_THAT(Reason(WithLines("[1,3]", R"(
  %s = ShapeOf-3(%x) {output_type: i64} : i64[2]
  %f = Convert-0(%s) {destination_type: f32} : f32[2]
  %a = Constant-0() {value: i64[] {0}} : i64[]
  %t = ReduceSum-1(%f, %a) {keep_dims: false} : f32[]
  %y = Divide-1(%x, %t) {auto_broadcast: numpy} : f32[1,3] "y"  # mean)")),
              AllOf(HasSubstr("'mean'"), HasSubstr("size of the batch")));
}

TEST(BatchAxesTest, RowsThatMixAreRefusedByName) {
  EXPECT_THAT(Reason(WithLines(
                  "[4,3]",
                  R"(  %y = Softmax-8(%x) {axis: -2} : f32[4,3] "y"  # soft)")),
              AllOf(HasSubstr("'soft'"), HasSubstr("along axis 0")));
  EXPECT_THAT(Reason(WithLines("[1,3]", R"(
  %a = Constant-0() {value: i64[1] {0}} : i64[1]
  %y = ReduceSum-1(%x, %a) {keep_dims: true} : f32[1,3] "y"  # sum)")),
              HasSubstr("'sum'"));
  EXPECT_THAT(Reason(WithLines("[2,3]", R"(
  %y = MatMul-0(%x, %x) {transpose_b: true} : f32[2,2] "y"  # gram)")),
              HasSubstr("'gram'"));
  EXPECT_THAT(Reason(WithLines("[2,3]", R"(
  %b = Constant-0() {value: i64[2] {-1, 0}} : i64[2]
  %e = Constant-0() {value: i64[2] {-9, 3}} : i64[2]
  %s = Constant-0() {value: i64[2] {-1, 1}} : i64[2]
  %y = Slice-8(%x, %b, %e, %s) {} : f32[2,3] "y"  # cut)")),
              HasSubstr("'cut'"));
  // Two rows of constants fit two requests, but mean nothing for them.
  EXPECT_THAT(Reason(WithLines("[1,3]", R"(
  %w = Constant-0() {value: f32[2,1] {1, 2}} : f32[2,1]
  %y = Add-1(%x, %w) {auto_broadcast: numpy} : f32[2,3] "y"  # add)")),
              testing::Not(""));
  EXPECT_THAT(Reason(WithLines("[1,2,3]", R"(
  %p = Constant-0() {value: i64[2] {3, -1}} : i64[2]
  %y = Reshape-1(%x, %p) {special_zero: true} : f32[3,2] "y"  # mixed)")),
              HasSubstr("'mixed'"));
}

TEST(BatchAxesTest, StatesAndDynamicShapesAreRefused) {
  EXPECT_THAT(Reason(CounterModel()), HasSubstr("state"));
  EXPECT_THAT(Reason(DynamicModel()), HasSubstr("[?,3]"));
}

}  // namespace
}  // namespace dovetail::batch
