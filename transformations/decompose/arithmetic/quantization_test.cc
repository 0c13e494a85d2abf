#include "absl/strings/str_cat.h"
#include "dovetail/transformations/decompose/arithmetic/rules.h"
#include "dovetail/transformations/testing/check_rules.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

const RuleCheck check(QuantizationDecompositions());

TEST(QuantizationDecompositionsTest, FakeQuantize) {
  const auto quantize = [](absl::string_view x, absl::string_view ranges,
                           int levels) {
    return absl::StrCat("%x = ", x, R"(
      %a = Constant-0() {value: f32)", ranges, R"( {-1.5, -3, 2}}
      %b = Constant-0() {value: f32)", ranges, R"( {2, 3.25, -1}}
      %c = Constant-0() {value: f32[] {-2}}
      %d = Constant-0() {value: f32[1,1,1,1] {3}}
      %y = FakeQuantize-0(%x, %a, %b, %c, %d) {levels: )", levels,
                        "}\n%r = Result-0(%y) {}");
  };
  for (int levels : {2, 16, 256}) {
    check.ExpectReplaced(
        "FakeQuantize",
        quantize("Parameter-0() {shape: [?,3,?], element_type: f32}",
                 "[1,3,1]", levels));
    check.ExpectReplaced(
        "FakeQuantize",
        quantize("Constant-0() {value: f32[2,3] {nan, -inf, inf, -1.5, 3.25, "
                 "0.1}}", "[3]", levels));
  }
  // A range of nothing.
  check.ExpectReplaced("FakeQuantize", R"(
    %x = Constant-0() {value: f32[3] {0, 1, 2}}
    %a = Constant-0() {value: f32[] {1}}
    %b = Constant-0() {value: f32[] {5}}
    %y = FakeQuantize-0(%x, %a, %a, %a, %b) {levels: 4}
    %r = Result-0(%y) {})");
}

TEST(QuantizationDecompositionsTest, FakeConvert) {
  for (absl::string_view type : {"f8e4m3", "f8e5m2"}) {
    for (absl::string_view data : {"f32", "f16"}) {
      for (absl::string_view inputs : {"%x, %s", "%x, %s, %o"}) {
        check.ExpectReplaced(
            "FakeConvert",
            absl::StrCat("%p = Parameter-0() {shape: [?,3], element_type: ",
                         data, "}\n%f = Constant-0() {value: ", data,
                         "[] {1.1}}\n%x = Multiply-1(%p, %f) {}\n",
                         "%s = Constant-0() {value: ", data,
                         "[3] {1, 0.3, 900}}\n%o = Constant-0() {value: ", data,
                         "[] {0.2}}\n%y = FakeConvert-13(", inputs,
                         ") {destination_type: ", type,
                         "}\n%r = Result-0(%y) {}"));
      }
    }
  }
}

}  // namespace
}  // namespace dovetail
