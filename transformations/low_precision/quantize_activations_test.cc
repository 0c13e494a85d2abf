#include "dovetail/transformations/low_precision/quantize_activations.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "dovetail/transformations/testing/run_and_compare.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

constexpr CompareOptions kCompare = {.tolerance = 1e-6,
                                     .remove_unused = true};

constexpr absl::string_view kInput =
    "%x = Parameter-0() {shape: [1,2,2,2], element_type: f32}\n";

// Two convolutions in i8 weights with what is before each, %a and %b.
constexpr absl::string_view kConvolution = R"(
    %q = Constant-0() {value: i8[1,2,1,1] {3, -5}}
    %c = Convert-0(%q) {destination_type: f32}
    %s = Constant-0() {value: f32[] {0.5}}
    %w = Multiply-1(%c, %s) {}
    %y = Convolution-1(%a, %w) {pads_begin: [1,1], pads_end: [1,1]}
    %r = Result-0(%y) {})";

std::string WithRange(absl::string_view low, absl::string_view high) {
  return absl::StrCat(kInput, "%l = Constant-0() {value: f32", low,
                      "}\n%h = Constant-0() {value: f32", high, R"(}
    %a = FakeQuantize-0(%x, %l, %h, %l, %h) {levels: 256})", kConvolution);
}

void ExpectKept(const std::string& text) {
  QuantizeActivations pass;
  RunAndExpectNoChange(pass, text);
}

constexpr absl::string_view kFromZero = R"(
    %l = Constant-0() {value: f32[] {0}}
    %h = Constant-0() {value: f32[] {127.5}}
    %low = Constant-0() {value: f32[] {0}}
    %high = Constant-0() {value: f32[] {255}}
    %f = FakeQuantize-0(%x, %l, %h, %low, %high) {levels: 256}
    %u = Convert-0(%f) {destination_type: u8}
    %v = Convert-0(%u) {destination_type: f32}
    %t = Constant-0() {value: f32[] {0.5}}
    %a = Multiply-1(%v, %t) {})";

TEST(QuantizeActivationsTest, NumbersFromZeroHaveNoZeroPoint) {
  QuantizeActivations pass;
  RunAndCompare(pass, WithRange("[] {0}", "[] {127.5}"),
                absl::StrCat(kInput, kFromZero, kConvolution), kCompare);
}

constexpr absl::string_view kSymmetric = R"(
    %l = Constant-0() {value: f32[] {-64}}
    %h = Constant-0() {value: f32[] {63.5}}
    %low = Constant-0() {value: f32[] {0}}
    %high = Constant-0() {value: f32[] {255}}
    %f = FakeQuantize-0(%x, %l, %h, %low, %high) {levels: 256}
    %u = Convert-0(%f) {destination_type: u8}
    %v = Convert-0(%u) {destination_type: f32}
    %z = Constant-0() {value: f32[] {128}}
    %d = Subtract-1(%v, %z) {}
    %t = Constant-0() {value: f32[] {0.5}}
    %a = Multiply-1(%d, %t) {})";

constexpr absl::string_view kSigned = R"(
    %l = Constant-0() {value: f32[] {-64}}
    %h = Constant-0() {value: f32[] {63.5}}
    %low = Constant-0() {value: f32[] {-128}}
    %high = Constant-0() {value: f32[] {127}}
    %f = FakeQuantize-0(%x, %l, %h, %low, %high) {levels: 256}
    %u = Convert-0(%f) {destination_type: i8}
    %v = Convert-0(%u) {destination_type: f32}
    %t = Constant-0() {value: f32[] {0.5}}
    %a = Multiply-1(%v, %t) {})";

TEST(QuantizeActivationsTest, SymmetricRangesAreOfEitherType) {
  QuantizeActivations pass;
  RunAndCompare(pass, WithRange("[] {-64}", "[] {63.5}"),
                absl::StrCat(kInput, kSymmetric, kConvolution), kCompare);
  LowPrecisionOptions options;
  options.prefers_signed = [](const Node&) { return true; };
  QuantizeActivations with_sign(options);
  RunAndCompare(with_sign, WithRange("[] {-64}", "[] {63.5}"),
                absl::StrCat(kInput, kSigned, kConvolution), kCompare);
}

TEST(QuantizeActivationsTest, AllReadersHaveToPreferSigns) {
  LowPrecisionOptions options;
  options.prefers_signed = [](const Node& node) {
    return node.port().shape[2] == Dimension(2);
  };
  QuantizeActivations pass(options);
  constexpr absl::string_view kTwo = R"(
    %q = Constant-0() {value: i8[1,2,1,1] {3, -5}}
    %c = Convert-0(%q) {destination_type: f32}
    %m = Constant-0() {value: f32[] {0.25}}
    %w = Multiply-1(%c, %m) {}
    %y = Convolution-1(%a, %w) {}
    %o = Convolution-1(%a, %w) {strides: [2,2]}
    %r = Result-0(%y) {}
    %s = Result-0(%o) {})";
  RunAndCompare(pass,
                absl::StrCat(kInput, R"(
    %l = Constant-0() {value: f32[] {-64}}
    %h = Constant-0() {value: f32[] {63.5}}
    %a = FakeQuantize-0(%x, %l, %h, %l, %h) {levels: 256})",
                             kTwo),
                absl::StrCat(kInput, kSymmetric, kTwo), kCompare);
}

TEST(QuantizeActivationsTest, WhatConvolutionsCannotTakeStays) {
  // Scales of channels that are summed; and 0, which padding adds, is no level.
  ExpectKept(WithRange("[1,2,1,1] {0, 0}", "[1,2,1,1] {1, 2}"));
  ExpectKept(WithRange("[] {-1}", "[] {1.005}"));
}

TEST(QuantizeActivationsTest, WithoutUseForIntegersThereAreNone) {
  const std::string quantized = absl::StrCat(kInput, R"(
    %l = Constant-0() {value: f32[] {0}}
    %h = Constant-0() {value: f32[] {1}}
    %a = FakeQuantize-0(%x, %l, %h, %l, %h) {levels: 256})");
  ExpectKept(absl::StrCat(quantized, "\n%r = Result-0(%a) {}"));
  ExpectKept(absl::StrCat(quantized, R"(
    %w = Constant-0() {value: f32[1,2,1,1] {3, -5}}
    %y = Convolution-1(%a, %w) {}
    %r = Result-0(%y) {})"));
  ExpectKept(absl::StrCat(quantized, "\n%b = Sigmoid-0(%a) {}", R"(
    %q = Constant-0() {value: i8[1,2,1,1] {3, -5}}
    %c = Convert-0(%q) {destination_type: f32}
    %s = Constant-0() {value: f32[] {0.5}}
    %w = Multiply-1(%c, %s) {}
    %y = Convolution-1(%b, %w) {}
    %r = Result-0(%y) {})"));
}

TEST(QuantizeActivationsTest, NotForOperationsThatTheBackendDeclines) {
  LowPrecisionOptions options;
  options.takes_integers = [](const Node& linear) {
    return !linear.Is("Convolution");
  };
  QuantizeActivations pass(options);
  RunAndExpectNoChange(pass, WithRange("[] {-64}", "[] {63.5}"));
}

// The first factor is u8 and the second i8.
TEST(QuantizeActivationsTest, FactorsOfMatrixProducts) {
  QuantizeActivations pass;
  constexpr absl::string_view kFactors = R"(
    %x = Parameter-0() {shape: [?,2,3], element_type: f32}
    %y = Parameter-0() {shape: [?,3,2], element_type: f32}
    %l = Constant-0() {value: f32[] {0}}
    %h = Constant-0() {value: f32[] {127.5}}
    %k = Constant-0() {value: f32[] {-64}}
    %g = Constant-0() {value: f32[] {63.5}})";
  RunAndCompare(pass, absl::StrCat(kFactors, R"(
    %a = FakeQuantize-0(%x, %l, %h, %l, %h) {levels: 256}
    %b = FakeQuantize-0(%y, %k, %g, %k, %g) {levels: 256}
    %p = MatMul-0(%a, %b) {}
    %r = Result-0(%p) {})"),
                absl::StrCat(kFactors, R"(
    %z = Constant-0() {value: f32[] {0}}
    %e = Constant-0() {value: f32[] {255}}
    %c = FakeQuantize-0(%x, %l, %h, %z, %e) {levels: 256}
    %i = Convert-0(%c) {destination_type: u8}
    %d = Convert-0(%i) {destination_type: f32}
    %s = Constant-0() {value: f32[] {0.5}}
    %a = Multiply-1(%d, %s) {}
    %m = Constant-0() {value: f32[] {-128}}
    %n = Constant-0() {value: f32[] {127}}
    %o = FakeQuantize-0(%y, %k, %g, %m, %n) {levels: 256}
    %j = Convert-0(%o) {destination_type: i8}
    %f = Convert-0(%j) {destination_type: f32}
    %t = Constant-0() {value: f32[] {0.5}}
    %b = Multiply-1(%f, %t) {}
    %p = MatMul-0(%a, %b) {}
    %r = Result-0(%p) {})"),
                kCompare);
}

// What two operations read, neither of them linear.
constexpr absl::string_view kTwoReaders = R"(
    %k = Constant-0() {value: i64[1] {2}}
    %y = ReduceMean-1(%a, %k) {keep_dims: true}
    %z = Multiply-1(%a, %y) {}
    %r = Result-0(%z) {})";

std::string QuantizedForTwo() {
  return absl::StrCat(kInput, R"(
    %l = Constant-0() {value: f32[] {0}}
    %h = Constant-0() {value: f32[] {127.5}}
    %a = FakeQuantize-0(%x, %l, %h, %l, %h) {levels: 256})",
                      kTwoReaders);
}

TEST(QuantizeActivationsTest, SeveralReadersOfIntegersAreReasonEnough) {
  ExpectKept(QuantizedForTwo());
  LowPrecisionOptions options;
  options.reads_integers = [](const Node&) { return true; };
  QuantizeActivations pass(options);
  RunAndCompare(pass, QuantizedForTwo(),
                absl::StrCat(kInput, kFromZero, kTwoReaders), kCompare);
}

// The sum of two convolutions, of which the second computes it: what the first
// one gives is stored until then.
TEST(QuantizeActivationsTest, WhatASumWaitsForIsReasonEnough) {
  const auto sum = [](absl::string_view first, absl::string_view operands) {
    return absl::StrCat(kInput, R"(
    %l = Constant-0() {value: f32[] {0}}
    %h = Constant-0() {value: f32[] {127.5}}
    %low = Constant-0() {value: f32[] {0}}
    %high = Constant-0() {value: f32[] {255}}
    %t = Constant-0() {value: f32[] {0.5}}
    %w = Constant-0() {value: f32[2,2,1,1] {1, 2, 3, 4}}
    %p = Convolution-1(%x, %w) {}
    %m = Relu-0(%p) {})",
                        first, R"(
    %c = Convolution-1(%x, %w) {}
    %b = FakeQuantize-0(%c, %l, %h, %l, %h) {levels: 256}
    %s = Add-1()",
                        operands, R"() {}
    %r = Result-0(%s) {})");
  };
  LowPrecisionOptions options;
  options.reads_integers = [](const Node&) { return true; };
  QuantizeActivations pass(options);
  constexpr absl::string_view kFloats =
      "\n%a = FakeQuantize-0(%m, %l, %h, %l, %h) {levels: 256}";
  constexpr absl::string_view kIntegers = R"(
    %f = FakeQuantize-0(%m, %l, %h, %low, %high) {levels: 256}
    %u = Convert-0(%f) {destination_type: u8}
    %v = Convert-0(%u) {destination_type: f32}
    %a = Multiply-1(%v, %t) {})";
  for (const absl::string_view operands : {"%a, %b", "%b, %a"}) {
    RunAndCompare(pass, sum(kFloats, operands), sum(kIntegers, operands),
                  kCompare);
  }
}

TEST(QuantizeActivationsTest, EachReaderHasToReadIntegers) {
  LowPrecisionOptions options;
  options.reads_integers = [](const Node& node) { return node.Is("Multiply"); };
  QuantizeActivations pass(options);
  RunAndExpectNoChange(pass, QuantizedForTwo());
}

}  // namespace
}  // namespace dovetail
