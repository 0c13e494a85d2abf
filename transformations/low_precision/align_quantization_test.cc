#include "dovetail/transformations/low_precision/align_quantization.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "dovetail/transformations/testing/run_and_compare.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

// Half a step of each input, weighed.
constexpr CompareOptions kRounded = {.tolerance = 1, .remove_unused = true};

// Concat of %x rounded to [0, 127.5] and of %z, rounded to `low` … `high`.
std::string Joined(absl::string_view low, absl::string_view high) {
  return absl::StrCat(R"(
    %x = Parameter-0() {shape: [1,1,2,2], element_type: f32}
    %z = Parameter-0() {shape: [1,1,2,2], element_type: f32}
    %l = Constant-0() {value: f32[] {0}}
    %h = Constant-0() {value: f32[] {127.5}}
    %a = FakeQuantize-0(%x, %l, %h, %l, %h) {levels: 256}
    %k = Constant-0() {value: f32[] {)",
                      low, R"(}}
    %g = Constant-0() {value: f32[] {)",
                      high, R"(}}
    %b = FakeQuantize-0(%z, %k, %g, %k, %g) {levels: 256})");
}

constexpr absl::string_view kConvolution = R"(
    %q = Constant-0() {value: i8[1,2,1,1] {3, -5}}
    %c = Convert-0(%q) {destination_type: f32}
    %s = Constant-0() {value: f32[] {0.5}}
    %w = Multiply-1(%c, %s) {}
    %y = Convolution-1(%j, %w) {pads_begin: [1,1], pads_end: [1,1]}
    %r = Result-0(%y) {})";
constexpr absl::string_view kConcat = "\n%j = Concat-0(%a, %b) {axis: 1}";

// %z in half of the levels.
constexpr absl::string_view kAligned = R"(
    %x = Parameter-0() {shape: [1,1,2,2], element_type: f32}
    %z = Parameter-0() {shape: [1,1,2,2], element_type: f32}
    %l = Constant-0() {value: f32[] {0}}
    %h = Constant-0() {value: f32[] {127.5}}
    %a = FakeQuantize-0(%x, %l, %h, %l, %h) {levels: 256}
    %k = Constant-0() {value: f32[] {0}}
    %g = Constant-0() {value: f32[] {64}}
    %t = Constant-0() {value: f32[] {0}}
    %u = Constant-0() {value: f32[] {128}}
    %e = FakeQuantize-0(%z, %k, %g, %t, %u) {levels: 129}
    %i = Convert-0(%e) {destination_type: u8}
    %v = Convert-0(%i) {destination_type: f32}
    %n = Constant-0() {value: f32[] {0.5}}
    %b = Multiply-1(%v, %n) {})";

TEST(AlignQuantizationTest, AFakeQuantizeOfItsOwnIsReplaced) {
  AlignQuantization pass;
  RunAndCompare(pass, absl::StrCat(Joined("0", "64"), kConcat, kConvolution),
                absl::StrCat(kAligned, kConcat, kConvolution), kRounded);
}

TEST(AlignQuantizationTest, WhatOthersReadStays) {
  AlignQuantization pass;
  RunAndCompare(pass,
                absl::StrCat(Joined("0", "64"), kConcat, kConvolution,
                             "\n%p = Result-0(%b) {}"),
                absl::StrCat(R"(
    %x = Parameter-0() {shape: [1,1,2,2], element_type: f32}
    %z = Parameter-0() {shape: [1,1,2,2], element_type: f32}
    %l = Constant-0() {value: f32[] {0}}
    %h = Constant-0() {value: f32[] {127.5}}
    %a = FakeQuantize-0(%x, %l, %h, %l, %h) {levels: 256}
    %k = Constant-0() {value: f32[] {0}}
    %g = Constant-0() {value: f32[] {64}}
    %o = FakeQuantize-0(%z, %k, %g, %k, %g) {levels: 256}
    %m = Constant-0() {value: f32[] {0}}
    %d = Constant-0() {value: f32[] {64}}
    %t = Constant-0() {value: f32[] {0}}
    %u = Constant-0() {value: f32[] {128}}
    %e = FakeQuantize-0(%o, %m, %d, %t, %u) {levels: 129}
    %i = Convert-0(%e) {destination_type: u8}
    %v = Convert-0(%i) {destination_type: f32}
    %n = Constant-0() {value: f32[] {0.5}}
    %b = Multiply-1(%v, %n) {})",
                             kConcat, kConvolution, "\n%p = Result-0(%o) {}"),
                kRounded);
}

TEST(AlignQuantizationTest, EqualParamsStay) {
  AlignQuantization pass;
  RunAndExpectNoChange(
      pass, absl::StrCat(Joined("0", "127.5"), kConcat, kConvolution));
}

TEST(AlignQuantizationTest, TooFewLevelsAndNoUseForIntegers) {
  AlignQuantization pass;
  RunAndExpectNoChange(pass,
                       absl::StrCat(Joined("0", "1"), kConcat, kConvolution));
  RunAndExpectNoChange(
      pass, absl::StrCat(Joined("0", "64"), kConcat, "\n%r = Result-0(%j) {}"));
  LowPrecisionOptions options;
  options.align_quantization = false;
  AlignQuantization off(options);
  RunAndExpectNoChange(off,
                       absl::StrCat(Joined("0", "64"), kConcat, kConvolution));
}

// Neither range has the other one within.
TEST(AlignQuantizationTest, RangesAreJoined) {
  const auto common = CommonParams(
      {{ElementType::kU8, {0.5f}, {0}}, {ElementType::kU8, {0.5f}, {128}}});
  ASSERT_TRUE(common.has_value());
  EXPECT_EQ(common->zero_point[0], 85);
  EXPECT_FLOAT_EQ(common->scale[0], 191.5f / 255);
}

}  // namespace
}  // namespace dovetail
