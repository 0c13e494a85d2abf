#include "dovetail/transformations/low_precision/weights/compressed_weights.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "dovetail/transformations/testing/run_and_compare.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

// A product of [1,4] with weights %w that `lines` make, transposed or not.
Model Product(absl::string_view lines, bool transposed = true) {
  return ParseOrFail(absl::StrCat(R"(
    %x = Parameter-0() {shape: [1,4], element_type: f32}
    )", lines, R"(
    %y = MatMul-0(%x, %w) {transpose_a: false, transpose_b: )",
                                  transposed ? "true" : "false", R"(}
    %r = Result-0(%y) {})"));
}

std::optional<CompressedWeights> Match(const Model& model) {
  return MatchCompressedWeights(*model.results()[0]->input(0).node);
}

TEST(CompressedWeightsTest, OfOneScaleARow) {
  const Model model = Product(R"(
    %q = Constant-0() {value: i8[2,4] {1, 2, 3, 4, 5, 6, 7, 8}}
    %c = Convert-0(%q) {destination_type: f32}
    %s = Constant-0() {value: f32[2,1] {1, 2}}
    %w = Multiply-1(%c, %s) {})");
  const auto found = Match(model);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->constant.type(), ElementType::kI8);
  EXPECT_EQ(found->scale.shape(), PartialShape({2, 1}));
  EXPECT_FALSE(found->zero_point);
  EXPECT_EQ(found->group_size, 4);
  EXPECT_FALSE(found->is_grouped);
  EXPECT_EQ(found->conversions.size(), 1u);
}

TEST(CompressedWeightsTest, InGroupsWithZeroPointsAndHalfFloats) {
  const Model model = Product(R"(
    %q = Constant-0() {value: u4[3,2,2] {1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2}}
    %c = Convert-0(%q) {destination_type: f16}
    %z = Constant-0() {value: u4[3,2,1] {1, 2, 3, 4, 5, 6}}
    %d = Convert-0(%z) {destination_type: f16}
    %e = Subtract-1(%c, %d) {}
    %s = Constant-0() {value: f16[3,2,1] {1, 2, 3, 4, 5, 6}}
    %m = Multiply-1(%e, %s) {}
    %t = Constant-0() {value: i64[2] {3, 4}}
    %v = Reshape-1(%m, %t) {special_zero: false}
    %w = Convert-0(%v) {destination_type: f32})");
  const auto found = Match(model);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->constant.type(), ElementType::kU4);
  EXPECT_EQ(found->zero_point.type(), ElementType::kU4);
  EXPECT_EQ(found->scale.type(), ElementType::kF16);
  EXPECT_EQ(found->group_size, 2);
  EXPECT_TRUE(found->is_grouped);
  EXPECT_EQ(found->conversions.size(), 2u);
}

TEST(CompressedWeightsTest, InGroupsOfRows) {
  const Model model = Product(R"(
    %q = Constant-0() {value: i4[2,2,1] {1, 2, 3, 4}}
    %c = Convert-0(%q) {destination_type: f32}
    %s = Constant-0() {value: f32[2,1,1] {1, 2}}
    %m = Multiply-1(%c, %s) {}
    %t = Constant-0() {value: i64[2] {4, 1}}
    %w = Reshape-1(%m, %t) {special_zero: false})",
                              false);
  const auto found = Match(model);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->group_size, 2);
  EXPECT_TRUE(found->is_grouped);
}

TEST(CompressedWeightsTest, OfTwoBits) {
  const Model model = Product(R"(
    %q = Constant-0() {value: u2[2,4] {1, 2, 3, 0, 3, 2, 1, 0}}
    %c = Convert-0(%q) {destination_type: f32}
    %z = Constant-0() {value: u2[2,1] {1, 2}}
    %d = Convert-0(%z) {destination_type: f32}
    %e = Subtract-1(%c, %d) {}
    %s = Constant-0() {value: f32[2,1] {1, 2}}
    %w = Multiply-1(%e, %s) {})");
  const auto found = Match(model);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->constant.type(), ElementType::kU2);
  EXPECT_EQ(found->zero_point.type(), ElementType::kU2);
}

// As NNCF writes nf4, and the MX form: f4e2m1 with scales of f8e8m0.
TEST(CompressedWeightsTest, OfCodeBooks) {
  for (const std::string types : {"nf4 f16", "f4e2m1 f8e8m0"}) {
    const std::vector<std::string> type = absl::StrSplit(types, ' ');
    const Model model = Product(absl::StrCat(R"(
      %q = Constant-0() {value: )",
                                             type[0], R"([1,2,2] {1, 0, -1, 1}}
      %c = Convert-0(%q) {destination_type: f16}
      %s = Constant-0() {value: )",
                                             type[1], R"([1,2,1] {1, 2}}
      %d = Convert-0(%s) {destination_type: f16}
      %m = Multiply-1(%c, %d) {}
      %t = Constant-0() {value: i64[2] {1, 4}}
      %v = Reshape-1(%m, %t) {special_zero: false}
      %w = Convert-0(%v) {destination_type: f32})"));
    const auto found = Match(model);
    ASSERT_TRUE(found.has_value()) << types;
    EXPECT_EQ(ElementTypeName(found->constant.type()), type[0]);
    EXPECT_EQ(ElementTypeName(found->scale.type()), type[1]);
    EXPECT_EQ(found->group_size, 2);
    // Not the scales', which may be folded.
    EXPECT_EQ(found->conversions.size(), 1u);
  }
}

TEST(CompressedWeightsTest, NotOfOtherForms) {
  // A scale for each weight; floats; integers of 16 bits.
  EXPECT_FALSE(Match(Product(R"(
    %q = Constant-0() {value: i8[1,4] {1, 2, 3, 4}}
    %c = Convert-0(%q) {destination_type: f32}
    %s = Constant-0() {value: f32[1,4] {1, 2, 3, 4}}
    %w = Multiply-1(%c, %s) {})")).has_value());
  EXPECT_FALSE(Match(Product(R"(
    %w = Constant-0() {value: f32[1,4] {1, 2, 3, 4}})")).has_value());
  EXPECT_FALSE(Match(Product(R"(
    %q = Constant-0() {value: f8e8m0[1,4] {1, 2, 4, 8}}
    %w = Convert-0(%q) {destination_type: f32})"))
                   .has_value());
  EXPECT_FALSE(Match(Product(R"(
    %q = Constant-0() {value: i16[1,4] {1, 2, 3, 4}}
    %w = Convert-0(%q) {destination_type: f32})")).has_value());
  // Groups across rows.
  EXPECT_FALSE(Match(Product(R"(
    %q = Constant-0() {value: i8[4,2] {1, 2, 3, 4, 5, 6, 7, 8}}
    %c = Convert-0(%q) {destination_type: f32}
    %t = Constant-0() {value: i64[2] {2, 4}}
    %w = Reshape-1(%c, %t) {special_zero: false})")).has_value());
}

}  // namespace
}  // namespace dovetail
