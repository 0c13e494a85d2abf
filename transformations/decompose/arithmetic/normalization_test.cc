#include "absl/strings/str_cat.h"
#include "dovetail/transformations/decompose/arithmetic/rules.h"
#include "dovetail/transformations/testing/check_rules.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

const RuleCheck check(NormalizationDecompositions());

// %y of %x, with the vectors %g, %b, %m and %v of four elements, some axes in
// %a, %c and none in %n.
std::string Of(absl::string_view shape, absl::string_view call) {
  return absl::StrCat("%x = Parameter-0() {shape: ", shape, R"(, element_type: f32}
    %a = Constant-0() {value: i64[2] {-1, 1}}
    %c = Constant-0() {value: i64[1] {1}}
    %n = Constant-0() {value: i64[0] {}}
    %g = Constant-0() {value: f32[4] {1, 2, 3, -4}}
    %b = Constant-0() {value: f32[4] {0, 1, -1, 0.5}}
    %m = Constant-0() {value: f32[4] {1, 0, 2, 3}}
    %v = Constant-0() {value: f32[4] {1, 0.5, 2, 0}}
    %y = )", call, "\n%r = Result-0(%y) {}");
}

void Check(absl::string_view op, absl::string_view call) {
  for (absl::string_view shape : {"[2,4,3]", "[?,4,?,2]", "[?,4]"}) {
    check.ExpectReplaced(op, Of(shape, call));
  }
}

TEST(NormalizationDecompositionsTest, Mvn) {
  Check("MVN", "MVN-6(%x, %a) {eps: 0.001}");
  Check("MVN", "MVN-6(%x, %c) {eps: 0.5, eps_mode: outside_sqrt}");
  Check("MVN", "MVN-6(%x, %a) {normalize_variance: false}");
  Check("MVN", "MVN-6(%x, %n) {eps: 0.5}");
  check.ExpectReplaced("MVN", Of("[...]", "MVN-6(%x, %c) {eps: 0.1}"));
}

TEST(NormalizationDecompositionsTest, GroupNormalization) {
  for (int groups : {1, 2, 4}) {
    Check("GroupNormalization",
          absl::StrCat("GroupNormalization-12(%x, %g, %b) {epsilon: 0.01, "
                       "num_groups: ", groups, "}"));
  }
  check.ExpectReplaced("GroupNormalization",
                       Of("[0,4,3]", "GroupNormalization-12(%x, %g, %b) "
                                     "{num_groups: 2, epsilon: 1}"));
  check.ExpectDeclined("GroupNormalization",
                       Of("[...]", "GroupNormalization-12(%x, %g, %b) "
                                   "{num_groups: 2, epsilon: 1}"));
}

TEST(NormalizationDecompositionsTest, LengthOne) {
  Check("NormalizeL2", "NormalizeL2-0(%x, %a) {eps: 0.1, eps_mode: add}");
  Check("NormalizeL2", "NormalizeL2-0(%x, %c) {eps: 9, eps_mode: max}");
  Check("NormalizeL2", "NormalizeL2-0(%x, %n) {eps: 0.1, eps_mode: max}");
  check.ExpectReplaced("NormalizeL2", R"(
    %x = Constant-0() {value: f32[2,2] {0, 0, 3, 4}}
    %a = Constant-0() {value: i64[1] {1}}
    %y = NormalizeL2-0(%x, %a) {eps: 0, eps_mode: add}
    %r = Result-0(%y) {})");
  Check("GRN", "GRN-0(%x) {bias: 0.5}");
}

TEST(NormalizationDecompositionsTest, Lrn) {
  Check("LRN", "LRN-0(%x, %c) {alpha: 2, beta: 0.75, bias: 1, size: 3}");
  Check("LRN", "LRN-0(%x, %c) {alpha: 2, beta: 0.5, bias: 2, size: 4}");
  Check("LRN", "LRN-0(%x, %a) {alpha: 1, beta: 1, bias: 1, size: 5}");
  Check("LRN", "LRN-0(%x, %n) {alpha: 1, beta: 1, bias: 1, size: 5}");
  for (absl::string_view shape : {"[0,4,3]", "[2,0,3]", "[?,4,0]"}) {
    check.ExpectReplaced("LRN", Of(shape, "LRN-0(%x, %a) {alpha: 1, beta: 1, "
                                          "bias: 1, size: 5}"));
  }
}

TEST(NormalizationDecompositionsTest, BatchNorm) {
  Check("BatchNormInference",
        "BatchNormInference-5(%x, %g, %b, %m, %v) {epsilon: 0.25}");
  Check("BatchNormInference",
        "BatchNormInference-0(%g, %b, %x, %m, %v) {epsilon: 0.25}");
}

TEST(NormalizationDecompositionsTest, Softmax) {
  for (absl::string_view op : {"Softmax-8", "LogSoftmax-5"}) {
    const absl::string_view type = op == "Softmax-8" ? "Softmax" : "LogSoftmax";
    Check(type, absl::StrCat(op, "(%x) {axis: 1}"));
    Check(type, absl::StrCat(op, "(%x) {axis: -1}"));
    check.ExpectReplaced(type, Of("[]", absl::StrCat(op, "(%x) {axis: 0}")));
    check.ExpectReplaced(type, absl::StrCat(R"(
      %x = Constant-0() {value: f32[3,3] {-inf, 0, -inf, 1000, 999, -1000, nan,
                                          1, 2}}
      %y = )", op, R"((%x) {axis: 1}
      %r = Result-0(%y) {})"));
  }
}

}  // namespace
}  // namespace dovetail
