#include "dovetail/transformations/low_precision/weights/keep_compressed.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "dovetail/transformations/low_precision/weights/compressed_weights.h"
#include "dovetail/transformations/precision/convert_precision.h"
#include "dovetail/transformations/simplify/constant_folding.h"
#include "dovetail/transformations/testing/run_and_compare.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

// Whether weights of i8 are still there after constant folding.
bool AreKept(absl::string_view readers) {
  Model model = ParseOrFail(absl::StrCat(R"(
    %x = Parameter-0() {shape: [1,4], element_type: f32}
    %q = Constant-0() {value: i8[2,4] {1, 2, 3, 4, 5, 6, 7, 8}}
    %c = Convert-0(%q) {destination_type: f32}
    %s = Constant-0() {value: f32[2,1] {1, 2}}
    %w = Multiply-1(%c, %s) {})",
                                         readers));
  KeepCompressed keep;
  ConstantFolding folding;
  EXPECT_TRUE(keep.Run(model).ok());
  EXPECT_TRUE(folding.Run(model).ok());
  for (const auto& node : model.nodes()) {
    if (node->Is("Convert")) return true;
  }
  return false;
}

constexpr absl::string_view kProduct = R"(
    %y = MatMul-0(%x, %w) {transpose_a: false, transpose_b: true}
    %r = Result-0(%y) {})";

TEST(KeepCompressedTest, KeepsWhatOnlyProductsRead) {
  EXPECT_TRUE(AreKept(kProduct));
  EXPECT_TRUE(AreKept(absl::StrCat(kProduct, R"(
    %z = MatMul-0(%x, %w) {transpose_a: false, transpose_b: true}
    %t = Result-0(%z) {})")));
}

TEST(KeepCompressedTest, KeepsNothingThatOthersRead) {
  EXPECT_FALSE(AreKept(absl::StrCat(kProduct, R"(
    %t = Result-0(%w) {})")));
  EXPECT_FALSE(AreKept(absl::StrCat(kProduct, R"(
    %z = Add-1(%w, %x) {}
    %t = Result-0(%z) {})")));
  EXPECT_FALSE(AreKept(R"(
    %y = Add-1(%x, %w) {}
    %r = Result-0(%y) {})"));
}

// Folds what the pass does not keep, in f32.
void KeepAndFold(KeepCompressed keep, Model& model) {
  ConstantFolding folding;
  ConvertPrecision precision({ElementType::kF16}, ElementType::kF32);
  EXPECT_TRUE(keep.Run(model).ok());
  EXPECT_TRUE(folding.Run(model).ok());
  EXPECT_TRUE(precision.Run(model).ok());
}

TEST(KeepCompressedTest, KeepsHalfFloatsWhereThatIsWanted) {
  for (const bool half_floats : {false, true}) {
    Model model = ParseOrFail(R"(
      %x = Parameter-0() {shape: [1,4], element_type: f32}
      %q = Constant-0() {value: f16[2,4] {1, 2, 3, 4, 5, 6, 7, 8}}
      %w = Convert-0(%q) {destination_type: f32}
      %y = MatMul-0(%x, %w) {transpose_a: false, transpose_b: true}
      %r = Result-0(%y) {})");
    KeepAndFold(KeepCompressed({.half_floats = half_floats}), model);
    const Value weights = model.results()[0]->input(0).node->input(1);
    EXPECT_EQ(weights.node->Is("Convert"), half_floats);
    if (half_floats) {
      EXPECT_EQ(weights.node->input(0).type(), ElementType::kF16);
    }
  }
}

TEST(KeepCompressedTest, KeepsCodeBooksWhereThatIsWanted) {
  for (const std::string type : {"nf4", "f4e2m1"}) {
    for (const bool code_books : {false, true}) {
      Model model =
          ParseOrFail(absl::StrCat(R"(
        %x = Parameter-0() {shape: [1,4], element_type: f32}
        %q = Constant-0() {value: )",
                                   type, R"([2,4] {1, 0, -1, 1, 0, 1, 1, 0}}
        %c = Convert-0(%q) {destination_type: f16}
        %s = Constant-0() {value: f16[2,1] {1, 2}}
        %m = Multiply-1(%c, %s) {}
        %w = Convert-0(%m) {destination_type: f32}
        %y = MatMul-0(%x, %w) {transpose_a: false, transpose_b: true}
        %r = Result-0(%y) {})"));
      KeepAndFold(KeepCompressed({.code_books = code_books}), model);
      const Node& product = *model.results()[0]->input(0).node;
      const auto kept = MatchCompressedWeights(product);
      EXPECT_EQ(kept.has_value(), code_books) << type;
      if (kept.has_value()) {
        EXPECT_EQ(ElementTypeName(kept->constant.type()), type);
      }
    }
  }
}

}  // namespace
}  // namespace dovetail
