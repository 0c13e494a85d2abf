#include "dovetail/transformations/low_precision/quantize_before_concat.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "dovetail/transformations/testing/run_and_compare.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

constexpr CompareOptions kCompare = {.remove_unused = true};

// %a of one channel and %b of two, which are computed; integers end at 255.
constexpr absl::string_view kSources = R"(
    %x = Parameter-0() {shape: [1,1,2,?], element_type: f32}
    %z = Parameter-0() {shape: [1,2,2,?], element_type: f32}
    %a = Sigmoid-0(%x) {}
    %b = Tanh-0(%z) {}
    %low = Constant-0() {value: f32[] {0}}
    %high = Constant-0() {value: f32[] {255}})";

// Of %u.
constexpr absl::string_view kResult = R"(
    %v = Convert-0(%u) {destination_type: f32}
    %r = Result-0(%v) {})";

TEST(QuantizeBeforeConcatTest, EachSourceTakesTheRangesOfItsChannels) {
  QuantizeBeforeConcat pass;
  RunAndCompare(pass,
                absl::StrCat(kSources, R"(
    %l = Constant-0() {value: f32[1,3,1,1] {-1, -2, -3}}
    %h = Constant-0() {value: f32[] {4}}
    %k = Concat-0(%a, %b) {axis: -3}
    %q = FakeQuantize-0(%k, %l, %h, %low, %high) {levels: 256}
    %u = Convert-0(%q) {destination_type: u8})",
                             kResult),
                absl::StrCat(kSources, R"(
    %la = Constant-0() {value: f32[] {-1}}
    %lb = Constant-0() {value: f32[1,2,1,1] {-2, -3}}
    %h = Constant-0() {value: f32[] {4}}
    %c = FakeQuantize-0(%a, %la, %h, %low, %high) {levels: 256}
    %d = Convert-0(%c) {destination_type: u8}
    %e = FakeQuantize-0(%b, %lb, %h, %low, %high) {levels: 256}
    %f = Convert-0(%e) {destination_type: u8}
    %u = Concat-0(%d, %f) {axis: 1})",
                             kResult),
                kCompare);
}

void ExpectKept(absl::string_view rest) {
  QuantizeBeforeConcat pass;
  RunAndExpectNoChange(pass, absl::StrCat(kSources, rest, kResult));
}

constexpr absl::string_view kQuantized = R"(
    %l = Constant-0() {value: f32[1,3,1,1] {-1, -2, -3}}
    %h = Constant-0() {value: f32[] {4}}
    %q = FakeQuantize-0(%k, %l, %h, %low, %high) {levels: 256}
    %u = Convert-0(%q) {destination_type: u8})";

TEST(QuantizeBeforeConcatTest, LeavesWhatOthersRead) {
  ExpectKept(absl::StrCat("\n%k = Concat-0(%a, %b) {axis: 1}", kQuantized,
                          "\n%s = Result-0(%k) {}"));
  ExpectKept(absl::StrCat("\n%k = Concat-0(%a, %b) {axis: 1}", kQuantized,
                          "\n%s = Result-0(%q) {}"));
}

TEST(QuantizeBeforeConcatTest, LeavesWhatIsGivenOrStandsForIntegers) {
  ExpectKept(absl::StrCat("\n%k = Concat-0(%a, %z) {axis: 1}", kQuantized));
  ExpectKept(absl::StrCat(R"(
    %i = Parameter-0() {shape: [1,2,2,?], element_type: u8}
    %j = Convert-0(%i) {destination_type: f32}
    %k = Concat-0(%a, %j) {axis: 1})",
                          kQuantized));
}

TEST(QuantizeBeforeConcatTest, LeavesOtherAxes) {
  ExpectKept(R"(
    %l = Constant-0() {value: f32[] {-1}}
    %h = Constant-0() {value: f32[] {4}}
    %k = Concat-0(%b, %b) {axis: 2}
    %q = FakeQuantize-0(%k, %l, %h, %low, %high) {levels: 256}
    %u = Convert-0(%q) {destination_type: u8})");
}

}  // namespace
}  // namespace dovetail
