#include "dovetail/transformations/low_precision/integer_linear.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "dovetail/transformations/testing/run_and_compare.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

// Dequantized %d of integers of that type and shape, whose floats are %f.
std::string Data(absl::string_view shape, absl::string_view zero_point,
                 absl::string_view scale, absl::string_view type = "u8") {
  return absl::StrCat("\n%i = Parameter-0() {shape: ", shape,
                      ", element_type: ", type, R"(}
    %f = Convert-0(%i) {destination_type: f32}
    %n = Constant-0() {value: f32)",
                      zero_point, R"(}
    %m = Subtract-1(%f, %n) {}
    %t = Constant-0() {value: f32)",
                      scale, R"(}
    %d = Multiply-1(%m, %t) {})");
}

// Integer weights, whose floats are %c, of a scale.
std::string Weights(absl::string_view integers) {
  return absl::StrCat("\n%q = Constant-0() {value: i8", integers,
                      "}\n%c = Convert-0(%q) {destination_type: f32}");
}

std::string Scaled(absl::string_view scale) {
  return absl::StrCat("\n%s = Constant-0() {value: f32", scale,
                      "}\n%w = Multiply-1(%c, %s) {}");
}

// The integers %f less a zero point, %m.
std::string Shifted(absl::string_view shape, absl::string_view zero_point) {
  return absl::StrCat("\n%i = Parameter-0() {shape: ", shape,
                      ", element_type: u8}", R"(
    %f = Convert-0(%i) {destination_type: f32}
    %n = Constant-0() {value: f32)",
                      zero_point, R"(}
    %m = Subtract-1(%f, %n) {})");
}

constexpr absl::string_view kResult = "\n%r = Result-0(%y) {}";

void Expect(const std::string& before, const std::string& after) {
  IntegerLinear pass;
  RunAndCompare(pass, absl::StrCat(before, kResult),
                absl::StrCat(after, kResult),
                {.tolerance = 1e-6, .remove_unused = true});
  RunAndExpectNoChange(pass, absl::StrCat(after, kResult));
}

TEST(IntegerLinearTest, NotForOperationsThatTheBackendDeclines) {
  LowPrecisionOptions options;
  options.takes_integers = [](const Node&) { return false; };
  IntegerLinear pass(options);
  RunAndExpectNoChange(
      pass, absl::StrCat(Data("[1,2,3,3]", "[] {3}", "[] {0.5}"),
                         Weights("[2,2,1,1] {1, 2, 3, 4}"),
                         Scaled("[2,1,1,1] {0.25, 0.5}"),
                         "\n%y = Convolution-1(%d, %w) {}", kResult));
}

TEST(IntegerLinearTest, ConvolutionWithAScaleForEachChannel) {
  Expect(
      Data("[1,2,3,3]", "[] {3}", "[] {0.5}") +
          Weights("[2,2,1,1] {1, 2, 3, 4}") + Scaled("[2,1,1,1] {0.25, 0.5}") +
          R"(
    %y = Convolution-1(%d, %w) {pads_begin: [1,1], pads_end: [0,0]})",
      Shifted("[1,2,3,3]", "[] {3}") + Weights("[2,2,1,1] {1, 2, 3, 4}") + R"(
    %z = Convolution-1(%m, %c) {pads_begin: [1,1], pads_end: [0,0]}
    %u = Constant-0() {value: f32[1,2,1,1] {0.125, 0.25}}
    %y = Multiply-1(%z, %u) {})");
}

// Channels of their own keep scales of their own, and equal zero points are
// one.
TEST(IntegerLinearTest, ChannelsByThemselves) {
  Expect(
      Data("[1,2,3,3]", "[1,2,1,1] {3, 3}", "[1,2,1,1] {0.5, 0.25}") +
          Weights("[2,2,1,1,1] {1, 2, 3, 4}") + Scaled("[] {0.5}") + R"(
    %y = GroupConvolution-1(%d, %w) {})",
      Shifted("[1,2,3,3]", "[] {3}") + Weights("[2,2,1,1,1] {1, 2, 3, 4}") + R"(
    %z = GroupConvolution-1(%m, %c) {}
    %u = Constant-0() {value: f32[1,4,1,1] {0.25, 0.25, 0.125, 0.125}}
    %y = Multiply-1(%z, %u) {})");
}

TEST(IntegerLinearTest, GradientOfAConvolution) {
  Expect(Data("[1,2,3,3]", "[] {3}", "[] {0.5}") +
             Weights("[2,2,2,1] {1, 2, 3, 4, 5, 6, 7, 8}") +
             Scaled("[1,2,1,1] {0.5, 0.25}") + R"(
    %y = ConvolutionBackpropData-1(%d, %w) {strides: [2,2]})",
         Shifted("[1,2,3,3]", "[] {3}") +
             Weights("[2,2,2,1] {1, 2, 3, 4, 5, 6, 7, 8}") + R"(
    %z = ConvolutionBackpropData-1(%m, %c) {strides: [2,2]}
    %u = Constant-0() {value: f32[1,2,1,1] {0.25, 0.125}}
    %y = Multiply-1(%z, %u) {})");
}

TEST(IntegerLinearTest, MatrixProduct) {
  Expect(Data("[?,3,2]", "[] {3}", "[] {0.5}") + Weights("[2,2] {1, 2, 3, 4}") +
             Scaled("[2,1] {0.5, 0.25}") + R"(
    %y = MatMul-0(%d, %w) {transpose_b: true})",
         Shifted("[?,3,2]", "[] {3}") + Weights("[2,2] {1, 2, 3, 4}") + R"(
    %z = MatMul-0(%m, %c) {transpose_b: true}
    %u = Constant-0() {value: f32[2] {0.25, 0.125}}
    %y = Multiply-1(%z, %u) {})");
}

// Weights of two experts, with scales for the columns of each.
TEST(IntegerLinearTest, MatricesOfWeights) {
  const std::string weights = Weights("[2,2,2] {1, 2, 3, 4, 5, 6, 7, 8}");
  for (const auto& [scale, transposed] :
       {std::pair("[2,2,1] {0.5, 0.25, 1, 2}", "true"),
        std::pair("[2,1,2] {0.5, 0.25, 1, 2}", "false")}) {
    Expect(Data("[1,3,2]", "[] {3}", "[] {0.5}") + weights + Scaled(scale) +
               absl::StrCat(
                   "\n%y = MatMul-0(%d, %w) {transpose_b: ", transposed, "}"),
           Shifted("[1,3,2]", "[] {3}") + weights +
               absl::StrCat("\n%z = MatMul-0(%m, %c) {transpose_b: ",
                            transposed, "}", R"(
    %u = Constant-0() {value: f32[2,1,2] {0.25, 0.125, 0.5, 1}}
    %y = Multiply-1(%z, %u) {})"));
  }
}

// A zero point of 2.75 in a product without padding: 3 and a shift.
TEST(IntegerLinearTest, ZeroPointsAreRounded) {
  Expect(Data("[3,2]", "[] {2.75}", "[] {0.5}") +
             Weights("[2,2] {1, 2, 3, 4}") + Scaled("[] {0.5}") + R"(
    %y = MatMul-0(%d, %w) {transpose_b: true})",
         Shifted("[3,2]", "[] {3}") + Weights("[2,2] {1, 2, 3, 4}") + R"(
    %z = MatMul-0(%m, %c) {transpose_b: true}
    %u = Constant-0() {value: f32[] {0.25}}
    %x = Multiply-1(%z, %u) {}
    %v = Constant-0() {value: f32[2] {0.1875, 0.4375}}
    %y = Add-1(%x, %v) {})");
}

TEST(IntegerLinearTest, ShiftsGoToTheBias) {
  const std::string bias = R"(
    %b = Constant-0() {value: f32[1,2,1,1] {1, 2}})";
  Expect(
      Data("[1,1,3,3]", "[] {2.75}", "[] {0.5}") + Weights("[2,1,1,1] {2, 4}") +
          Scaled("[] {0.5}") + bias + R"(
    %x = Convolution-1(%d, %w) {}
    %y = Add-1(%x, %b) {})",
      Shifted("[1,1,3,3]", "[] {3}") + Weights("[2,1,1,1] {2, 4}") + bias + R"(
    %z = Convolution-1(%m, %c) {}
    %u = Constant-0() {value: f32[] {0.25}}
    %x = Multiply-1(%z, %u) {}
    %v = Constant-0() {value: f32[1,2,1,1] {0.125, 0.25}}
    %e = Add-1(%v, %b) {}
    %y = Add-1(%x, %e) {})");
}

TEST(IntegerLinearTest, ProductOfTwoDequantizations) {
  const std::string second = R"(
    %k = Parameter-0() {shape: [2,4], element_type: i8}
    %g = Convert-0(%k) {destination_type: f32})";
  Expect(Data("[3,2]", "[] {3}", "[] {0.5}") + second + R"(
    %h = Constant-0() {value: f32[] {0.25}}
    %j = Multiply-1(%g, %h) {}
    %y = MatMul-0(%d, %j) {})",
         Shifted("[3,2]", "[] {3}") + second + R"(
    %z = MatMul-0(%m, %g) {}
    %u = Constant-0() {value: f32[] {0.125}}
    %y = Multiply-1(%z, %u) {})");
}

TEST(IntegerLinearTest, WhatCannotBeOfIntegersStays) {
  IntegerLinear pass;
  const auto expect_kept = [&](const std::string& text) {
    RunAndExpectNoChange(pass, absl::StrCat(text, kResult));
  };
  const std::string weights =
      Weights("[2,2,1,1] {1, 2, 3, 4}") + Scaled("[] {0.5}");
  const std::string padded =
      "\n%y = Convolution-1(%d, %w) {pads_begin: [1,1], pads_end: [0,0]}";
  // Scales that are summed over, zeros that are between integers, floats.
  expect_kept(Data("[1,2,3,3]", "[] {3}", "[1,2,1,1] {1, 2}") + weights +
              padded);
  expect_kept(Data("[1,2,3,3]", "[] {2.5}", "[] {2}") + weights + padded);
  expect_kept(Data("[1,2,3,3]", "[] {3}", "[] {2}") + R"(
    %w = Constant-0() {value: f32[2,2,1,1] {1, 2, 3, 4}})" +
              padded);
  // A second factor with a zero point.
  expect_kept(Data("[2,2]", "[] {3}", "[] {2}") + "\n%y = MatMul-0(%d, %d) {}");
}

}  // namespace
}  // namespace dovetail
