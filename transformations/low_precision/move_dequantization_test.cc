#include "dovetail/transformations/low_precision/move_dequantization.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "dovetail/transformations/testing/run_and_compare.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

constexpr CompareOptions kCompare = {.remove_unused = true};

// Dequantized %a of the integers %i: (i - 3) * 0.5.
constexpr absl::string_view kInput = R"(
    %i = Parameter-0() {shape: [1,2,4,4], element_type: u8}
    %f = Convert-0(%i) {destination_type: f32}
    %n = Constant-0() {value: f32[] {3}}
    %d = Subtract-1(%f, %n) {}
    %t = Constant-0() {value: f32[] {0.5}}
    %a = Multiply-1(%d, %t) {})";

// The same of the integers %o, as %b.
constexpr absl::string_view kMoved = R"(
    %of = Convert-0(%o) {destination_type: f32}
    %on = Constant-0() {value: f32[] {3}}
    %od = Subtract-1(%of, %on) {}
    %ot = Constant-0() {value: f32[] {0.5}}
    %b = Multiply-1(%od, %ot) {})";

constexpr absl::string_view kConvolution = R"(
    %q = Constant-0() {value: i8[1,2,1,1] {3, -5}}
    %c = Convert-0(%q) {destination_type: f32}
    %s = Constant-0() {value: f32[] {0.5}}
    %w = Multiply-1(%c, %s) {}
    %y = Convolution-1(%b, %w) {}
    %r = Result-0(%y) {})";

// `op` makes %OUT of %IN: %b of %a before, and %o of %i afterwards.
void ExpectMoved(const std::string& op, absl::string_view constants = "") {
  SCOPED_TRACE(op);
  const std::string before =
      absl::StrReplaceAll(op, {{"%IN", "%a"}, {"%OUT", "%b"}});
  const std::string after =
      absl::StrReplaceAll(op, {{"%IN", "%i"}, {"%OUT", "%o"}});
  MoveDequantization pass;
  RunAndCompare(
      pass, absl::StrCat(kInput, constants, "\n", before, kConvolution),
      absl::StrCat("%i = Parameter-0() {shape: [1,2,4,4], element_type: u8}",
                   constants, "\n", after, kMoved, kConvolution),
      kCompare);
}

void ExpectKept(const std::string& op, absl::string_view after = kConvolution) {
  SCOPED_TRACE(op);
  MoveDequantization pass;
  RunAndExpectNoChange(
      pass, absl::StrCat(kInput, "\n",
                         absl::StrReplaceAll(op, {{"%IN", "%a"},
                                                  {"%OUT", "%b"}}),
                         after));
}

TEST(MoveDequantizationTest, MovementsMoveIntegers) {
  ExpectMoved("%OUT = MaxPool-1(%IN) {kernel: [2,2]}");
  ExpectMoved("%OUT = ShuffleChannels-0(%IN) {axis: 1, group: 2}");
  ExpectMoved("%OUT = Transpose-1(%IN, %p) {}",
              "\n%p = Constant-0() {value: i64[4] {0, 1, 3, 2}}");
  ExpectMoved("%OUT = Reshape-1(%IN, %p) {special_zero: false}",
              "\n%p = Constant-0() {value: i64[4] {1, 2, 2, 8}}");
  ExpectMoved("%OUT = Interpolate-11(%IN, %p) {mode: nearest}",
              "\n%p = Constant-0() {value: i64[4] {1, 2, 8, 8}}");
  ExpectMoved("%OUT = Concat-0(%IN, %IN) {axis: 2}");
}

TEST(MoveDequantizationTest, OfSeveralOutputsOnlyTheNumbersAreScaled) {
  MoveDequantization pass;
  RunAndCompare(
      pass,
      absl::StrCat(kInput, "\n%b = MaxPool-8(%a) {kernel: [2,2]}",
                   kConvolution, "\n%k = Result-0(%b:1) {}"),
      absl::StrCat("%i = Parameter-0() {shape: [1,2,4,4], element_type: u8}",
                   "\n%o = MaxPool-8(%i) {kernel: [2,2]}", kMoved,
                   kConvolution, "\n%k = Result-0(%o:1) {}"),
      kCompare);
}

TEST(MoveDequantizationTest, PaddingIsAnInteger) {
  constexpr absl::string_view kPads =
      "\n%p = Constant-0() {value: i64[4] {0, 0, 1, 0}}";
  MoveDequantization pass;
  RunAndCompare(
      pass,
      absl::StrCat(kInput, kPads, R"(
    %v = Constant-0() {value: f32[] {-1}}
    %b = Pad-1(%a, %p, %p, %v) {pad_mode: constant})", kConvolution),
      absl::StrCat("%i = Parameter-0() {shape: [1,2,4,4], element_type: u8}",
                   kPads, R"(
    %v = Constant-0() {value: u8[] {1}}
    %o = Pad-1(%i, %p, %p, %v) {pad_mode: constant})", kMoved, kConvolution),
      kCompare);
  const std::string pads(kPads.data(), kPads.size());
  // Between two integers, and below all of them.
  ExpectKept(pads + R"(
    %v = Constant-0() {value: f32[] {0.25}}
    %OUT = Pad-1(%IN, %p, %p, %v) {pad_mode: constant})");
  ExpectKept(pads + R"(
    %v = Constant-0() {value: f32[] {-2}}
    %OUT = Pad-1(%IN, %p, %p, %v) {pad_mode: constant})");
}

TEST(MoveDequantizationTest, NothingIsBelowZero) {
  MoveDequantization pass;
  constexpr absl::string_view kUnshifted = R"(
    %i = Parameter-0() {shape: [1,2,4,4], element_type: u8}
    %f = Convert-0(%i) {destination_type: f32}
    %t = Constant-0() {value: f32[] {0.5}}
    %)";
  RunAndCompare(pass,
                absl::StrCat(kUnshifted, "a = Multiply-1(%f, %t) {}",
                             "\n%b = Relu-0(%a) {}", kConvolution),
                absl::StrCat(kUnshifted, "b = Multiply-1(%f, %t) {}",
                             kConvolution),
                kCompare);
  ExpectKept("%OUT = Relu-0(%IN) {}");
}

TEST(MoveDequantizationTest, WhatComputesStays) {
  ExpectKept("%OUT = AvgPool-1(%IN) {kernel: [2,2]}");
  ExpectKept(R"(
    %p = Constant-0() {value: i64[4] {1, 2, 8, 8}}
    %OUT = Interpolate-11(%IN, %p) {mode: linear})");
  // Nobody needs the integers.
  ExpectKept("%OUT = MaxPool-1(%IN) {kernel: [2,2]}", "\n%r = Result-0(%b) {}");
}

}  // namespace
}  // namespace dovetail
