// Upgrades of what has its inputs elsewhere today.
#include "absl/strings/str_cat.h"
#include "dovetail/transformations/testing/check_rules.h"
#include "dovetail/transformations/upgrade/rules/rules.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

std::string Of(absl::string_view shape, absl::string_view lines) {
  return absl::StrCat("%x = Parameter-0() {shape: ", shape,
                      ", element_type: f32}\n", lines, "\n%r = Result-0(%y) {}");
}

TEST(IndexingUpgradesTest, Gather) {
  const RuleCheck check(IndexingUpgrades());
  for (absl::string_view indices : {"{0, 2}", "{-1, 1}"}) {
    for (absl::string_view version : {"1", "7"}) {
      check.ExpectReplaced(
          absl::StrCat("Gather-", version),
          Of("[?,3]", absl::StrCat(R"(
            %i = Constant-0() {value: i32[2] )", indices, R"(}
            %a = Constant-0() {value: i64[] {1}}
            %y = Gather-)", version, "(%x, %i, %a) {}")));
    }
  }
  check.ExpectReplaced("Gather-7", Of("[2,3]", R"(
    %i = Convert-0(%x) {destination_type: i8}
    %d = Constant-0() {value: f32[2,5] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}}
    %a = Constant-0() {value: i64[] {1}}
    %y = Gather-7(%d, %i, %a) {batch_dims: 1})"));
}

TEST(IndexingUpgradesTest, GatherND) {
  const RuleCheck check(IndexingUpgrades());
  const auto gather = [](absl::string_view shape, int batch_dims,
                         absl::string_view indices) {
    return Of(shape, absl::StrCat("%i = Constant-0() {value: i64", indices,
                                  "}\n%y = GatherND-5(%x, %i) {batch_dims: ",
                                  batch_dims, "}"));
  };
  check.ExpectReplaced("GatherND-5", gather("[2,3]", 0, "[1,1] {1}"));
  check.ExpectReplaced("GatherND-5", gather("[1..2,3]", 1, "[2,1] {1, 2}"));
  check.ExpectReplaced("GatherND-5",
                       gather("[1,2,3]", 2, "[1,2,1] {1, 2}"));
  check.ExpectReplaced("GatherND-5",
                       gather("[1..2,2,3,?]", 2, "[2,2,1,1] {1, 2, 0, 1}"));
}

TEST(MovedInputsUpgradesTest, Normalization) {
  const RuleCheck check(MovedInputsUpgrades());
  check.ExpectReplaced("BatchNormInference-0", Of("[?,2,3]", R"(
    %g = Constant-0() {value: f32[2] {2, 1}}
    %b = Constant-0() {value: f32[2] {10, 20}}
    %m = Constant-0() {value: f32[2] {1, 2}}
    %v = Constant-0() {value: f32[2] {3, 0}}
    %y = BatchNormInference-0(%g, %b, %x, %m, %v) {epsilon: 1})"));
  for (absl::string_view attributes :
       {"across_channels: true, eps: 0.5", "across_channels: false, eps: 1",
        "reduction_axes: [1], eps: 1", "normalize_variance: false, eps: 1"}) {
    check.ExpectReplaced(
        "MVN-0",
        Of("[?,2,3]", absl::StrCat("%y = MVN-0(%x) {", attributes, "}")));
  }
}

TEST(MovedInputsUpgradesTest, Interpolate) {
  const RuleCheck check(MovedInputsUpgrades());
  const auto old = [](absl::string_view shape, absl::string_view attributes) {
    return Of(shape, absl::StrCat(R"(
      %s = Constant-0() {value: i64[2] {5, 7}}
      %y = Interpolate-0(%x, %s) {)", attributes, "}"));
  };
  check.ExpectReplaced("Interpolate-0", old("[1,2,3,4]",
                       "axes: [3,2], mode: nearest, align_corners: false"));
  check.ExpectReplaced("Interpolate-0", old("[?,1,3,?]",
                       "axes: [2,3], mode: linear, align_corners: true"));
  check.ExpectReplaced("Interpolate-0", old("[1,1,3,4,2]",
                       "axes: [2,3], mode: linear, align_corners: false, "
                       "antialias: true"));
  check.ExpectReplaced("Interpolate-0", old("[1,1,3,4]",
                       "axes: [2,3], mode: cubic, pads_begin: [0,0,1,0]"));
  check.ExpectDeclined("Interpolate", old("[1,1,3,4]",
                       "axes: [2,3], mode: area"));
  const auto newer = [](absl::string_view attributes) {
    return Of("[1,2,3,?]", absl::StrCat(R"(
      %s = Constant-0() {value: i64[2] {5, 2}}
      %f = Constant-0() {value: f32[2] {1.5, 2}}
      %a = Constant-0() {value: i64[2] {2, 3}}
      %y = Interpolate-4(%x, %s, %f, %a) {)", attributes, "}"));
  };
  check.ExpectReplaced("Interpolate-4",
                       newer("mode: linear_onnx, shape_calculation_mode: "
                             "sizes, coordinate_transformation_mode: "
                             "align_corners"));
  check.ExpectReplaced("Interpolate-4",
                       newer("mode: cubic, shape_calculation_mode: scales, "
                             "cube_coeff: -0.5"));
  check.ExpectReplaced("Interpolate-4", Of("[2,3]", R"(
      %s = Constant-0() {value: i64[2] {5, 2}}
      %f = Constant-0() {value: f32[2] {1.5, 2}}
      %y = Interpolate-4(%x, %s, %f) {mode: nearest,
           nearest_mode: ceil, shape_calculation_mode: scales})"));
}

// Weights of 8 rows, two for each gate.
std::string Lstm(absl::string_view attributes, absl::string_view peepholes) {
  return Of("[?,1]", absl::StrCat(R"(
    %h = Constant-0() {value: f32[2,2] {1, 2, 3, 4}}
    %w = Constant-0() {value: f32[8,1] {1, -2, 3, 4, -0.5, 2, 1, 0.5}}
    %q = Constant-0() {value: f32[8,2] {1, -1, 0.5, 2, 0, 1, -1, 1, 1, 0, 0.25, 0.5, -1, 0, 0.5, 1}}
    %b = Constant-0() {value: f32[8] {0, 0.5, 1, -1, 0.25, 0.5, -0.5, 0}}
    %p = Constant-0() {value: f32[6] )", peepholes, R"(}
    %y = LSTMCell-0(%x, %h, %h, %w, %q, %b, %p) {hidden_size: 2, clip: 3)",
                      attributes, "}\n%s = Result-0(%y:1) {}"));
}

TEST(RecurrentUpgradesTest, LstmCell) {
  RuleCheck check(RecurrentUpgrades());
  check.extents = {2};
  const absl::string_view none = "{0, 0, 0, 0, 0, 0}";
  for (absl::string_view format : {"fico", "icof", "ifco", "ifoc", "iofc"}) {
    check.ExpectReplaced(
        "LSTMCell-0", Lstm(absl::StrCat(", weights_format: ", format), none));
  }
  check.ExpectDeclined("LSTMCell", Lstm(", input_forget: true", none));
  check.ExpectDeclined("LSTMCell", Lstm("", "{0, 0, 0, 0, 1, 0}"));
}

TEST(RecurrentUpgradesTest, LstmSequence) {
  RuleCheck check(RecurrentUpgrades());
  check.ExpectReplaced("LSTMSequence-0", R"(
    %x = Parameter-0() {shape: [1,?,1], element_type: f32}
    %h = Constant-0() {value: f32[1,2,1] {1, 2}}
    %l = Constant-0() {value: i64[1] {2}}
    %w = Constant-0() {value: f32[2,4,1] {1, -2, 3, 4, -0.5, 2, 1, 0.5}}
    %q = Constant-0() {value: f32[2,4,1] {0, 1, -1, 1, 1, 0, 0.25, 0.5}}
    %b = Constant-0() {value: f32[2,4] {0, 0.5, 1, -1, 0.25, 0.5, -0.5, 0}}
    %y = LSTMSequence-0(%x, %h, %h, %l, %w, %q, %b) {hidden_size: 1,
         direction: bidirectional, weights_format: iofc}
    %r = Result-0(%y) {}
    %s = Result-0(%y:1) {}
    %t = Result-0(%y:2) {})");
}

TEST(DeclaredTypeUpgradesTest, RangeAndVariables) {
  const RuleCheck check(DeclaredTypeUpgrades());
  check.ExpectReplaced("Range-0", Of("[]", R"(
    %b = Constant-0() {value: f32[] {-7}}
    %s = Constant-0() {value: f32[] {0.75}}
    %y = Range-0(%b, %x, %s) {})"));
  check.ExpectReplaced("ReadValue-3", Of("[?]", R"(
    %v = ReadValue-3(%x) {variable_id: "v"}
    %y = Add-1(%v, %x) {}
    %a = Assign-6(%y) {variable_id: "v"})"));
}

}  // namespace
}  // namespace dovetail
