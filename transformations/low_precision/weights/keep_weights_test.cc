#include "dovetail/transformations/low_precision/weights/keep_weights.h"

#include "dovetail/transformations/low_precision/weights/release_weights.h"
#include "dovetail/transformations/simplify/constant_folding.h"
#include "dovetail/transformations/testing/run_and_compare.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

bool Has(const Model& model, absl::string_view type) {
  for (const auto& node : model.nodes()) {
    if (node->Is(OpType::Named(type))) return true;
  }
  return false;
}

void Run(Pass& pass, Model& model) {
  const auto changed = pass.Run(model);
  ASSERT_TRUE(changed.ok()) << changed.status();
}

// Folds with the marks, and again without those that are of no use.
struct Folded {
  explicit Folded(absl::string_view text) : model(ParseOrFail(text)) {
    Run(keep, model);
    Run(folding, model);
    kept_first = Has(model, "Convert") || Has(model, "FakeQuantize");
    Run(release, model);
    Run(folding, model);
    kept_last = Has(model, "Convert") || Has(model, "FakeQuantize");
  }
  Model model;
  KeepWeights keep;
  ReleaseWeights release;
  ConstantFolding folding;
  bool kept_first = false, kept_last = false;
};

TEST(KeepWeightsTest, WeightsOfConvolutionsOfFloatsAreFoldedAtLast) {
  const Folded integers(R"(
    %x = Parameter-0() {shape: [1,1,2,2], element_type: f32}
    %q = Constant-0() {value: i8[1,1,1,1] {3}}
    %w = Convert-0(%q) {destination_type: f32}
    %y = Convolution-1(%x, %w) {}
    %r = Result-0(%y) {})");
  EXPECT_TRUE(integers.kept_first);
  EXPECT_FALSE(integers.kept_last);
  const Folded rounded(R"(
    %x = Parameter-0() {shape: [1,1,2,2], element_type: f32}
    %q = Constant-0() {value: f16[1,1,1,1] {3}}
    %c = Convert-0(%q) {destination_type: f32}
    %l = Constant-0() {value: f32[] {-4}}
    %h = Constant-0() {value: f32[] {4}}
    %w = FakeQuantize-0(%c, %l, %h, %l, %h) {levels: 255}
    %y = Convolution-1(%x, %w) {}
    %r = Result-0(%y) {})");
  EXPECT_TRUE(rounded.kept_first);
  EXPECT_FALSE(rounded.kept_last);
}

TEST(KeepWeightsTest, WeightsOfIntegersStay) {
  const Folded folded(R"(
    %x = Parameter-0() {shape: [1,1,2,2], element_type: u8}
    %d = Convert-0(%x) {destination_type: f32}
    %q = Constant-0() {value: i8[1,1,1,1] {3}}
    %w = Convert-0(%q) {destination_type: f32}
    %y = Convolution-1(%d, %w) {}
    %r = Result-0(%y) {})");
  EXPECT_TRUE(IsMarkedAsKept(*folded.model.results()[0]->input(0).node->input(1)
                                  .node));
}

TEST(KeepWeightsTest, CompressedWeightsStay) {
  const Folded folded(R"(
    %x = Parameter-0() {shape: [1,4], element_type: f32}
    %q = Constant-0() {value: u4[1,2,2] {1, 2, 3, 4}}
    %c = Convert-0(%q) {destination_type: f32}
    %z = Constant-0() {value: u4[1,2,1] {1, 2}}
    %d = Convert-0(%z) {destination_type: f32}
    %e = Subtract-1(%c, %d) {}
    %s = Constant-0() {value: f32[1,2,1] {1, 2}}
    %m = Multiply-1(%e, %s) {}
    %t = Constant-0() {value: i64[2] {1, 4}}
    %w = Reshape-1(%m, %t) {special_zero: false}
    %y = MatMul-0(%x, %w) {transpose_b: true}
    %r = Result-0(%y) {})");
  EXPECT_TRUE(folded.kept_first);
  EXPECT_TRUE(folded.kept_last);
  EXPECT_TRUE(Has(folded.model, "Multiply"));
}

TEST(KeepWeightsTest, OthersAreNotTouched) {
  const Folded folded(R"(
    %x = Parameter-0() {shape: [2], element_type: f32}
    %q = Constant-0() {value: i8[2] {3, 4}}
    %c = Convert-0(%q) {destination_type: f32}
    %y = Add-1(%x, %c) {}
    %r = Result-0(%y) {})");
  EXPECT_FALSE(folded.kept_first);
}

TEST(KeepWeightsTest, MarksOfTheModelAreNotOurs) {
  Model model = ParseOrFail(R"(
    %x = Parameter-0() {shape: [2], element_type: f32}
    %y = Abs-0(%x) {}
    %r = Result-0(%y) {})");
  Node& node = *model.results()[0]->input(0).node;
  node.rt_info().Set({"DisableConstantFolding_0"}, "");
  MarkAsKept(node);
  EXPECT_FALSE(IsMarkedAsKept(node));
  Unmark(node);
  EXPECT_NE(node.rt_info().Find({"DisableConstantFolding_0"}), nullptr);
}

}  // namespace
}  // namespace dovetail
