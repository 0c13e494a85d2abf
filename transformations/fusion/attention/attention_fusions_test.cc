#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "dovetail/transformations/fusion/attention/rotary_pattern.h"
#include "dovetail/transformations/fusion/attention/rules.h"
#include "dovetail/transformations/fusion/common/fusion_pass.h"
#include "dovetail/transformations/testing/run_and_compare.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

constexpr char kInputs[] = R"(
    %q = Parameter-0() {shape: LEAD3,4], element_type: f32}
    %k = Parameter-0() {shape: LEAD5,4], element_type: f32}
    %v = Parameter-0() {shape: LEAD5,2], element_type: f32}
)";

std::string TextOf(absl::string_view lead, absl::string_view lines) {
  return absl::StrReplaceAll(
      absl::StrCat(kInputs, lines, "\n%r = Result-0(%y) {}\n"),
      {{"LEAD", lead}});
}

void Becomes(absl::string_view lead, absl::string_view after,
             absl::string_view before) {
  SCOPED_TRACE(std::string(before));
  FusionPass pass("test", {&AttentionFusions});
  RunAndCompare(pass, TextOf(lead, before), TextOf(lead, after),
                {.tolerance = 1e-5});
}

TEST(AttentionFusionsTest, ScaledScoresAndMask) {
  Becomes("[2,3,", R"(
    %m = Parameter-0() {shape: [2,1,3,5], element_type: f32}
    %s = Constant-0() {value: f32[] {0.25}}
    %y = ScaledDotProductAttention-13(%q, %k, %v, %m, %s) {causal: false})",
          R"(
    %m = Parameter-0() {shape: [2,1,3,5], element_type: f32}
    %s = Constant-0() {value: f32[] {0.25}}
    %a = MatMul-0(%q, %k) {transpose_a: false, transpose_b: true}
    %b = Multiply-1(%a, %s) {}
    %c = Add-1(%m, %b) {}
    %d = Softmax-8(%c) {axis: -1}
    %y = MatMul-0(%d, %v) {transpose_a: false, transpose_b: false})");
}

// As those of Swin v2, whose queries and keys are normalized.
TEST(AttentionFusionsTest, AFactorOfEachHead) {
  const std::string inputs = R"(
    %f = Parameter-0() {shape: [3,1,1], element_type: f32}
    %m = Parameter-0() {shape: [1,3,3,5], element_type: f32}
    %s = Constant-0() {value: f32[] {0.25}})";
  const std::string rest = R"(
    %c = Add-1(%b, %m) {}
    %d = Softmax-8(%c) {axis: -1}
    %y = MatMul-0(%d, %v) {transpose_a: false, transpose_b: false})";
  Becomes("[2,3,", inputs + R"(
    %g = Multiply-1(%q, %f) {}
    %y = ScaledDotProductAttention-13(%g, %k, %v, %m, %s) {causal: false})",
          inputs + R"(
    %a = MatMul-0(%q, %k) {transpose_a: false, transpose_b: true}
    %e = Multiply-1(%a, %f) {}
    %b = Multiply-1(%e, %s) {})" +
              rest);
}

TEST(AttentionFusionsTest, AFactorOfEachKeyStays) {
  const std::string lines = R"(
    %f = Parameter-0() {shape: [5], element_type: f32}
    %a = MatMul-0(%q, %k) {transpose_a: false, transpose_b: true}
    %b = Multiply-1(%a, %f) {}
    %d = Softmax-8(%b) {axis: -1}
    %y = MatMul-0(%d, %v) {transpose_a: false, transpose_b: false})";
  Becomes("[2,3,", lines, lines);
}

TEST(AttentionFusionsTest, TransposedKeysAndScalesOfBoth) {
  Becomes("[2,", R"(
    %y = ScaledDotProductAttention-13(%q, %k, %v) {causal: false})",
          R"(
    %o = Constant-0() {value: i64[3] {0, 2, 1}}
    %s = Constant-0() {value: f32[] {0.70710678}}
    %qs = Multiply-1(%q, %s) {}
    %ks = Multiply-1(%k, %s) {}
    %t = Transpose-1(%ks, %o) {}
    %a = MatMul-0(%qs, %t) {transpose_a: false, transpose_b: false}
    %d = Softmax-1(%a) {axis: 2}
    %y = MatMul-0(%d, %v) {transpose_a: false, transpose_b: false})");
}

TEST(AttentionFusionsTest, TransposesOfKeysAreJoined) {
  FusionPass pass("test", {&AttentionFusions});
  RunAndCompare(pass, R"(
    %q = Parameter-0() {shape: [1,2,3,4], element_type: f32}
    %k = Parameter-0() {shape: [1,5,2,4], element_type: f32}
    %v = Parameter-0() {shape: [1,2,5,2], element_type: f32}
    %o = Constant-0() {value: i64[4] {0, 2, 3, 1}}
    %t = Transpose-1(%k, %o) {}
    %a = MatMul-0(%q, %t) {transpose_a: false, transpose_b: false}
    %d = Softmax-8(%a) {axis: 3}
    %y = MatMul-0(%d, %v) {transpose_a: false, transpose_b: false}
    %r = Result-0(%y) {})",
                R"(
    %q = Parameter-0() {shape: [1,2,3,4], element_type: f32}
    %k = Parameter-0() {shape: [1,5,2,4], element_type: f32}
    %v = Parameter-0() {shape: [1,2,5,2], element_type: f32}
    %o = Constant-0() {value: i64[4] {0, 2, 1, 3}}
    %t = Transpose-1(%k, %o) {}
    %z = Constant-0() {value: f32[] {0}}
    %s = Constant-0() {value: f32[] {1}}
    %y = ScaledDotProductAttention-13(%q, %t, %v, %z, %s) {causal: false}
    %r = Result-0(%y) {})",
                {.tolerance = 1e-5});
}

TEST(AttentionFusionsTest, SeveralMasks) {
  Becomes("[1,2,", R"(
    %p = Parameter-0() {shape: [1,1,1,5], element_type: f32}
    %m = Constant-0() {value: f32[2,3,1] {1, 2, 3, 4, 5, 6}}
    %n = Add-1(%p, %m) {}
    %s = Constant-0() {value: f32[] {1}}
    %y = ScaledDotProductAttention-13(%q, %k, %v, %n, %s) {causal: false})",
          R"(
    %p = Parameter-0() {shape: [1,1,1,5], element_type: f32}
    %m = Constant-0() {value: f32[2,3,1] {1, 2, 3, 4, 5, 6}}
    %a = MatMul-0(%q, %k) {transpose_a: false, transpose_b: true}
    %b = Add-1(%m, %a) {}
    %c = Add-1(%b, %p) {}
    %d = Softmax-8(%c) {axis: -1}
    %y = MatMul-0(%d, %v) {transpose_a: false, transpose_b: false})");
}

TEST(AttentionFusionsTest, DynamicSequencesWithoutMask) {
  Becomes("[?,2,", R"(
    %y = ScaledDotProductAttention-13(%q, %k, %v) {causal: false})",
          R"(
    %s = Constant-0() {value: f32[] {0.5}}
    %qs = Multiply-1(%s, %q) {}
    %a = MatMul-0(%qs, %k) {transpose_a: false, transpose_b: true}
    %d = Softmax-8(%a) {axis: -1}
    %y = MatMul-0(%d, %v) {transpose_a: false, transpose_b: false})");
}

void Stays(absl::string_view lead, absl::string_view lines) {
  SCOPED_TRACE(std::string(lines));
  FusionPass pass("test", {&AttentionFusions});
  RunAndExpectNoChange(pass, TextOf(lead, lines));
}

TEST(AttentionFusionsTest, OthersStay) {
  // The mask makes the scores more.
  Stays("[1,2,", R"(
    %m = Parameter-0() {shape: [4,1,3,5], element_type: f32}
    %a = MatMul-0(%q, %k) {transpose_a: false, transpose_b: true}
    %c = Add-1(%a, %m) {}
    %d = Softmax-8(%c) {axis: -1}
    %y = MatMul-0(%d, %v) {transpose_a: false, transpose_b: false})");
  // Softmax along another axis.
  Stays("[1,2,", R"(
    %a = MatMul-0(%q, %k) {transpose_a: false, transpose_b: true}
    %d = Softmax-8(%a) {axis: 2}
    %y = MatMul-0(%d, %v) {transpose_a: false, transpose_b: false})");
  // Somebody else reads the weights.
  Stays("[1,2,", R"(
    %a = MatMul-0(%q, %k) {transpose_a: false, transpose_b: true}
    %d = Softmax-8(%a) {axis: 3}
    %e = Result-0(%d) {}
    %y = MatMul-0(%d, %v) {transpose_a: false, transpose_b: false})");
  // No leading axis.
  Stays("[", R"(
    %a = MatMul-0(%q, %k) {transpose_a: false, transpose_b: true}
    %d = Softmax-8(%a) {axis: -1}
    %y = MatMul-0(%d, %v) {transpose_a: false, transpose_b: false})");
}

constexpr char kRotary[] = R"(
    %x = Parameter-0() {shape: [1,2,3,8], element_type: f32}  # x
    %c = Parameter-0() {shape: [1,1,3,8], element_type: f32}  # cos
    %s = Parameter-0() {shape: [1,1,3,8], element_type: f32}  # sin
    %h = Constant-0() {value: i64[1] {HALF}}
    %e = Constant-0() {value: i64[1] {9223372036854775807}}
    %o = Constant-0() {value: i64[1] {1}}
    %z = Constant-0() {value: i64[1] {0}}
    %a = Constant-0() {value: i64[1] {3}}
    %m = Constant-0() {value: f32[] {-1}}
    %p = Multiply-1(%x, %c) {}
    %b = Slice-8(%x, %h, %e, %o, %a) {}
    %n = Multiply-1(%b, %m) {}
    %f = Slice-8(%x, %z, %h, %o, %a) {}
    %t = Concat-0(%n, %f) {axis: -1}
    %u = Multiply-1(%t, %s) {}
    %y = Add-1(%p, %u) {}  # y
    %r = Result-0(%y) {})";

TEST(RotaryPatternTest, Halves) {
  const Model model =
      ParseOrFail(absl::StrReplaceAll(kRotary, {{"HALF", "4"}}));
  const auto match = MatchRotaryEmbedding(*model.FindNode("y"));
  ASSERT_TRUE(match.has_value());
  EXPECT_EQ(match->x.node->name(), "x");
  EXPECT_EQ(match->cos.node->name(), "cos");
  EXPECT_EQ(match->sin.node->name(), "sin");
  EXPECT_EQ(match->nodes.size(), 7u);
}

TEST(RotaryPatternTest, UnequalPartsAreNone) {
  const Model model =
      ParseOrFail(absl::StrReplaceAll(kRotary, {{"HALF", "3"}}));
  EXPECT_FALSE(MatchRotaryEmbedding(*model.FindNode("y")).has_value());
}

}  // namespace
}  // namespace dovetail
