#include "dovetail/transformations/low_precision/weights/quantize_weights.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "dovetail/transformations/testing/run_and_compare.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

constexpr absl::string_view kData = R"(
    %x = Parameter-0() {shape: [1,2,3,3], element_type: f32}
    %l = Constant-0() {value: f32[] {0}}
    %h = Constant-0() {value: f32[] {3.984375}}
    %d = FakeQuantize-0(%x, %l, %h, %l, %h) {levels: 256}
)";

// A convolution of data that can be integers with weights %w.
std::string Convolution(absl::string_view weights,
                        absl::string_view type = "Convolution") {
  return absl::StrCat(kData, weights, "\n%y = ", type, R"(-1(%d, %w) {}
    %r = Result-0(%y) {})");
}

void ExpectWeights(absl::string_view before, absl::string_view after,
                   absl::string_view type = "Convolution") {
  QuantizeWeights pass;
  RunAndCompare(pass, Convolution(before, type), Convolution(after, type),
                {.tolerance = 1e-5, .remove_unused = true});
}

void ExpectKept(absl::string_view weights) {
  QuantizeWeights pass;
  RunAndExpectNoChange(pass, Convolution(weights));
}

TEST(QuantizeWeightsTest, FakeQuantizeIsFolded) {
  ExpectWeights(R"(
    %c = Constant-0() {value: f32[2,2,1,1] {0.9, -1.3, 0.26, 7}}
    %a = Constant-0() {value: f32[2,1,1,1] {-63.5, -31.75}}
    %b = Constant-0() {value: f32[2,1,1,1] {63.5, 31.75}}
    %w = FakeQuantize-0(%c, %a, %b, %a, %b) {levels: 255})",
                R"(
    %q = Constant-0() {value: i8[2,2,1,1] {2, -3, 1, 28}}
    %c = Convert-0(%q) {destination_type: f32}
    %s = Constant-0() {value: f32[2,1,1,1] {0.5, 0.25}}
    %w = Multiply-1(%c, %s) {})");
}

TEST(QuantizeWeightsTest, NotForOperationsThatTheBackendDeclines) {
  LowPrecisionOptions options;
  options.takes_integers = [](const Node&) { return false; };
  QuantizeWeights pass(options);
  RunAndExpectNoChange(pass, Convolution(R"(
    %c = Constant-0() {value: f32[2,2,1,1] {0.9, -1.3, 0.26, 7}}
    %a = Constant-0() {value: f32[] {-63.5}}
    %b = Constant-0() {value: f32[] {63.5}}
    %w = FakeQuantize-0(%c, %a, %b, %a, %b) {levels: 255})"));
}

TEST(QuantizeWeightsTest, ZeroPointsThatAreNoneGoAway) {
  ExpectWeights(R"(
    %q = Constant-0() {value: i8[2,2,1,1] {1, 2, 3, 4}}
    %c = Convert-0(%q) {destination_type: f32}
    %z = Constant-0() {value: f32[2,1,1,1] {0, 1e-6}}
    %m = Subtract-1(%c, %z) {}
    %s = Constant-0() {value: f32[2,1,1,1] {0.5, 0.5}}
    %w = Multiply-1(%m, %s) {})",
                R"(
    %q = Constant-0() {value: i8[2,2,1,1] {1, 2, 3, 4}}
    %c = Convert-0(%q) {destination_type: f32}
    %s = Constant-0() {value: f32[] {0.5}}
    %w = Multiply-1(%c, %s) {})");
}

TEST(QuantizeWeightsTest, BytesWithoutSignGetOne) {
  ExpectWeights(R"(
    %q = Constant-0() {value: u8[1,2,1,1] {0, 255}}
    %c = Convert-0(%q) {destination_type: f32}
    %z = Constant-0() {value: f32[] {128}}
    %m = Subtract-1(%c, %z) {}
    %s = Constant-0() {value: f32[] {0.5}}
    %w = Multiply-1(%m, %s) {})",
                R"(
    %q = Constant-0() {value: i8[1,2,1,1] {-128, 127}}
    %c = Convert-0(%q) {destination_type: f32}
    %s = Constant-0() {value: f32[] {0.5}}
    %w = Multiply-1(%c, %s) {})");
}

TEST(QuantizeWeightsTest, ReshapeGoesAway) {
  ExpectWeights(R"(
    %q = Constant-0() {value: i8[2,1,1,2] {1, 2, 3, 4}}
    %c = Convert-0(%q) {destination_type: f32}
    %s = Constant-0() {value: f32[2,1,1,1] {0.5, 0.25}}
    %m = Multiply-1(%c, %s) {}
    %t = Constant-0() {value: i64[5] {2, 1, 1, 1, 2}}
    %w = Reshape-1(%m, %t) {special_zero: false})",
                R"(
    %q = Constant-0() {value: i8[2,1,1,1,2] {1, 2, 3, 4}}
    %c = Convert-0(%q) {destination_type: f32}
    %s = Constant-0() {value: f32[2,1,1,1,1] {0.5, 0.25}}
    %w = Multiply-1(%c, %s) {})",
                "GroupConvolution");
}

TEST(QuantizeWeightsTest, OutputChannelsOfGradientsAreSecond) {
  ExpectWeights(R"(
    %q = Constant-0() {value: i8[2,2,1,1] {1, 2, 3, 4}}
    %c = Convert-0(%q) {destination_type: f32}
    %z = Constant-0() {value: f32[1,2,1,1] {1, 2}}
    %m = Subtract-1(%c, %z) {}
    %s = Constant-0() {value: f32[1,2,1,1] {0.5, 0.25}}
    %w = Multiply-1(%m, %s) {})",
                R"(
    %q = Constant-0() {value: i8[2,2,1,1] {0, 0, 2, 2}}
    %c = Convert-0(%q) {destination_type: f32}
    %s = Constant-0() {value: f32[1,2,1,1] {0.5, 0.25}}
    %w = Multiply-1(%c, %s) {})",
                "ConvolutionBackpropData");
}

TEST(QuantizeWeightsTest, WhatInt8CannotSayStays) {
  // A scale for each input channel.
  ExpectKept(R"(
    %q = Constant-0() {value: i8[1,2,1,1] {1, 2}}
    %c = Convert-0(%q) {destination_type: f32}
    %s = Constant-0() {value: f32[1,2,1,1] {0.5, 0.25}}
    %w = Multiply-1(%c, %s) {})");
  // Numbers from 0 to 255, and between the integers.
  ExpectKept(R"(
    %q = Constant-0() {value: u8[1,2,1,1] {1, 255}}
    %w = Convert-0(%q) {destination_type: f32})");
  ExpectKept(R"(
    %c = Constant-0() {value: f32[1,2,1,1] {0.9, -1.3}}
    %a = Constant-0() {value: f32[] {-1}}
    %b = Constant-0() {value: f32[] {1.3}}
    %w = FakeQuantize-0(%c, %a, %b, %a, %b) {levels: 255})");
  // No number at all.
  ExpectKept(R"(
    %c = Constant-0() {value: f32[1,2,1,1] {nan, 1}}
    %a = Constant-0() {value: f32[] {-1}}
    %b = Constant-0() {value: f32[] {1}}
    %w = FakeQuantize-0(%c, %a, %b, %a, %b) {levels: 255})");
  // Floats.
  ExpectKept("%w = Constant-0() {value: f32[1,2,1,1] {1, 2}}");
}

TEST(QuantizeWeightsTest, OnlyWhereDataCanBeIntegers) {
  QuantizeWeights pass;
  RunAndExpectNoChange(pass, R"(
    %x = Parameter-0() {shape: [1,2], element_type: f32}
    %q = Constant-0() {value: i8[2,2] {1, 2, 3, 4}}
    %c = Convert-0(%q) {destination_type: f32}
    %y = MatMul-0(%x, %c) {transpose_b: true}
    %r = Result-0(%y) {})");
}

TEST(QuantizeWeightsTest, WhatHasTheFormStays) {
  constexpr absl::string_view kModel = R"(
    %x = Parameter-0() {shape: [?,2], element_type: f32}
    %l = Constant-0() {value: f32[] {0}}
    %h = Constant-0() {value: f32[] {3.984375}}
    %d = FakeQuantize-0(%x, %l, %h, %l, %h) {levels: 256}
    %q = Constant-0() {value: i8[2,3] {1, 2, 3, 4, 5, 6}}
    %c = Convert-0(%q) {destination_type: f32}
    %s = Constant-0() {value: f32)";
  constexpr absl::string_view kEnd = R"(}
    %w = Multiply-1(%c, %s) {}
    %y = MatMul-0(%d, %w) {}
    %r = Result-0(%y) {})";
  QuantizeWeights pass;
  RunAndExpectNoChange(
      pass, absl::StrCat(kModel, "[1,3] {1, 2, 3}", kEnd));
  RunAndExpectNoChange(pass, absl::StrCat(kModel, "[3] {1, 2, 3}", kEnd));
  RunAndExpectNoChange(pass, absl::StrCat(kModel, "[] {2}", kEnd));
  // Not of columns.
  RunAndExpectNoChange(pass, absl::StrCat(kModel, "[2,1] {1, 2}", kEnd));
}

}  // namespace
}  // namespace dovetail
