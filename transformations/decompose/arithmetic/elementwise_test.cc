#include "absl/strings/str_cat.h"
#include "dovetail/transformations/decompose/arithmetic/rules.h"
#include "dovetail/transformations/testing/check_rules.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

const RuleCheck check(ElementwiseDecompositions());

std::string Of(absl::string_view type, absl::string_view a,
               absl::string_view call) {
  return absl::StrCat("%x = Constant-0() {value: ", type, a,
                      "}\n%z = Constant-0() {value: ", type,
                      "[] {3}}\n%m = Constant-0() {value: ", type,
                      "[4] {-3, 2, -1, 7}}\n%y = ", call,
                      "\n%r = Result-0(%y) {}");
}

// Of random numbers of that type and unknown shape.
std::string OfInput(absl::string_view type, absl::string_view call) {
  return absl::StrCat("%x = Parameter-0() {shape: [?,4], element_type: ", type,
                      "}\n%z = Constant-0() {value: ", type,
                      "[] {3}}\n%m = Constant-0() {value: ", type,
                      "[4] {-3, 2, -1, 7}}\n%y = ", call,
                      "\n%r = Result-0(%y) {}");
}

void CheckFloats(absl::string_view op, absl::string_view call) {
  check.ExpectReplaced(op, OfInput("f32", call));
  check.ExpectReplaced(op, Of("f32", "[2,4] {nan, inf, -inf, -0.0, 0.49999997, "
                                     "-2.5, 1.5, 6}", call));
}

void CheckIntegers(absl::string_view op, absl::string_view call) {
  for (absl::string_view type : {"i32", "i64"}) {
    check.ExpectReplaced(op, OfInput(type, call));
    check.ExpectReplaced(op, Of(type, "[4] {-2147483648, 2147483647, -7, 7}",
                                call));
  }
}

TEST(ElementwiseDecompositionsTest, FunctionsOfOneVariable) {
  CheckFloats("Clamp", "Clamp-0(%x) {min: -1.5, max: 2}");
  CheckIntegers("Clamp", "Clamp-0(%x) {min: -1.5, max: 2.5}");
  CheckIntegers("Clamp", "Clamp-0(%x) {min: -1e30, max: 1e30}");
  CheckFloats("Relu", "Relu-0(%x) {}");
  CheckIntegers("Relu", "Relu-0(%x) {}");
  CheckFloats("Sigmoid", "Sigmoid-0(%x) {}");
  CheckFloats("Negative", "Negative-0(%x) {}");
  CheckIntegers("Negative", "Negative-0(%x) {}");
  CheckFloats("Ceiling", "Ceiling-0(%x) {}");
  CheckIntegers("Ceiling", "Ceiling-0(%x) {}");
  CheckFloats("Sign", "Sign-0(%x) {}");
  CheckIntegers("Sign", "Sign-0(%x) {}");
  CheckFloats("Cosh", "Cosh-0(%x) {}");
  check.ExpectReplaced("Cosh", Of("f32", "[4] {-89.2, 88, 0.001, 90}",
                                  "Cosh-0(%x) {}"));
  check.ExpectReplaced("Tan", OfInput("f32", "Tan-0(%x) {}"));
  CheckFloats("Identity", "Identity-16(%x) {}");
}

TEST(ElementwiseDecompositionsTest, Rounding) {
  CheckFloats("Round", "Round-5(%x) {mode: half_away_from_zero}");
  check.ExpectDeclined("Round", OfInput("f32", "Round-5(%x) {}"));
}

TEST(ElementwiseDecompositionsTest, Bits) {
  CheckIntegers("BitwiseNot", "BitwiseNot-13(%x) {}");
  check.ExpectReplaced("BitwiseNot", R"(
    %x = Constant-0() {value: u8[3] {0, 7, 255}}
    %y = BitwiseNot-13(%x) {}
    %b = Convert-0(%x) {destination_type: boolean}
    %z = BitwiseNot-13(%b) {}
    %u = Convert-0(%x) {destination_type: u64}
    %w = BitwiseNot-13(%u) {}
    %r = Result-0(%y) {}
    %s = Result-0(%z) {}
    %t = Result-0(%w) {})");
}

TEST(ElementwiseDecompositionsTest, Tests) {
  CheckFloats("IsNaN", "IsNaN-10(%x) {}");
  CheckFloats("IsFinite", "IsFinite-10(%x) {}");
  for (absl::string_view negative : {"true", "false"}) {
    for (absl::string_view positive : {"true", "false"}) {
      CheckFloats("IsInf",
                  absl::StrCat("IsInf-10(%x) {detect_negative: ", negative,
                               ", detect_positive: ", positive, "}"));
    }
  }
}

TEST(ElementwiseDecompositionsTest, Comparisons) {
  for (absl::string_view op : {"Greater", "GreaterEqual", "NotEqual"}) {
    CheckFloats(op, absl::StrCat(op, "-1(%x, %m) {}"));
    CheckFloats(op, absl::StrCat(op, "-1(%z, %x) {}"));
    CheckIntegers(op, absl::StrCat(op, "-1(%x, %m) {}"));
  }
  for (absl::string_view op : {"LogicalXor-1", "Xor-0"}) {
    check.ExpectReplaced(op, absl::StrCat(R"(
      %x = Parameter-0() {shape: [?], element_type: boolean}
      %z = Constant-0() {value: boolean[] {1}}
      %y = )", op, "(%x, %z) {}\n%r = Result-0(%y) {}"));
  }
}

TEST(ElementwiseDecompositionsTest, Arithmetic) {
  CheckFloats("SquaredDifference", "SquaredDifference-0(%x, %m) {}");
  check.ExpectReplaced("FloorMod", OfInput("f32", "FloorMod-1(%x, %m) {}"));
  check.ExpectReplaced("FloorMod", OfInput("f32", "FloorMod-1(%m, %z) {}"));
  CheckIntegers("FloorMod", "FloorMod-1(%x, %m) {}");
  CheckIntegers("FloorMod", "FloorMod-1(%x, %z) {}");
  check.ExpectReplaced("Mod", OfInput("i32", "Mod-1(%x, %m) {}"));
  check.ExpectDeclined("Mod", OfInput("f32", "Mod-1(%x, %m) {}"));
}

TEST(ElementwiseDecompositionsTest, PRelu) {
  CheckFloats("PRelu", "PRelu-0(%x, %m) {}");
  CheckFloats("PRelu", "PRelu-0(%x, %z) {}");
  const auto with_slope = [](absl::string_view shape, absl::string_view slope) {
    return absl::StrCat("%x = Parameter-0() {shape: ", shape,
                        ", element_type: f32}\n%s = Constant-0() {value: ",
                        slope, "}\n%y = PRelu-0(%x, %s) {}\n%r = Result-0(%y) {}");
  };
  check.ExpectReplaced("PRelu", with_slope("[?,3,2]", "f16[3] {2, 3, 4}"));
  check.ExpectReplaced("PRelu", with_slope("[?,3,?]", "f32[1,3,1] {2, 3, 4}"));
  check.ExpectReplaced("PRelu", with_slope("[2,3,2]", "f32[2] {2, 3}"));
  check.ExpectDeclined("PRelu", with_slope("[2,?,2]", "f32[2] {2, 3}"));
}

TEST(ElementwiseDecompositionsTest, Types) {
  check.ExpectReplaced("ConvertLike", R"(
    %x = Parameter-0() {shape: [?], element_type: f32}
    %i = Parameter-0() {shape: [?], element_type: i32}
    %y = ConvertLike-1(%x, %i) {}
    %r = Result-0(%y) {})");
  check.ExpectReplaced("ConvertPromoteTypes", R"(
    %x = Parameter-0() {shape: [?], element_type: f32}
    %i = Parameter-0() {shape: [?], element_type: i32}
    %y = ConvertPromoteTypes-14(%x, %i) {promote_unsafe: true}
    %a = Add-1(%y, %y:1) {}
    %r = Result-0(%a) {})");
}

}  // namespace
}  // namespace dovetail
