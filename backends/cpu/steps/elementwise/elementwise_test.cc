#include "dovetail/backends/cpu/steps/elementwise/elementwise.h"

#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "dovetail/backends/cpu/testing/compare.h"
#include "gtest/gtest.h"

namespace dovetail::cpu {
namespace {

constexpr double kTolerance = 2e-6;
// Of models with a convolution.
constexpr double kConvolutionTolerance = 2e-5;

// "%a f32 1,3,4; …" as parameters. Names that begin with "constant" may follow.
std::string Parameters(const std::string& list) {
  std::string text;
  for (const auto line : absl::StrSplit(list, "; ")) {
    const std::vector<std::string> words = absl::StrSplit(line, ' ');
    absl::StrAppend(&text, words[0], " = Parameter-0() {shape: [", words[2],
                    "], element_type: ", words[1], "}",
                    words.size() > 3 ? "  # " + words[3] : "", "\n");
  }
  return text;
}

// A convolution %x, which leaves its result in whatever layout it likes.
std::string Convolution(int channels, const std::string& area) {
  return absl::StrCat(
      Parameters(absl::StrCat("%in f32 2,16,", area, "; %w f32 ", channels,
                              ",16,1,1 constant_w")),
      "%x = Convolution-1(%in, %w) {strides: [1,1], dilations: [1,1], "
      "pads_begin: [0,0], pads_end: [0,0], auto_pad: explicit}\n"
      // So that the convolution does not take in what follows.
      "%also = Result-0(%x) {}\n");
}

void ExpectOneStep(const std::string& model, const std::string& step,
                   double tolerance = kTolerance) {
  const Compared compared = Compare(model);
  EXPECT_LT(compared.error, tolerance) << compared.message << model;
  EXPECT_TRUE(absl::EndsWith(compared.steps, step))
      << compared.steps << "\n" << model;
}

TEST(ElementwiseTest, FollowersAreOneStep) {
  ExpectOneStep(Parameters("%x f32 2,3,40,50") +
                    "%a = Sigmoid-0(%x) {}\n"
                    "%b = Multiply-1(%x, %a) {}\n"
                    "%c = Tanh-0(%b) {}\n"
                    "%r = Result-0(%c) {}\n",
                "Sigmoid+2");
}

TEST(ElementwiseTest, SeveralOutputs) {
  ExpectOneStep(Parameters("%x f32 7,11; %y f32 7,1; %z f32 11") +
                    "%a = Add-1(%x, %y) {}\n"
                    "%b = Multiply-1(%a, %z) {}\n"
                    "%c = Relu-0(%b) {}\n"
                    "%r = Result-0(%a) {}\n"
                    "%s = Result-0(%c) {}\n",
                "Add+2");
}

TEST(ElementwiseTest, PartsOfAnInputAreNotOverwritten) {
  // Slices are views of the exponentials.
  const std::string list = " = Constant-0() {value: i64[1] {";
  for (const std::string parts : {"0 1", "299 300"}) {
    const std::vector<std::string> range = absl::StrSplit(parts, ' ');
    const Compared compared = Compare(
        Parameters("%in f32 300,400") + "%begin" + list + range[0] +
        "}}\n%end" + list + range[1] + "}}\n%step" + list + "1}}\n" +
        "%x = Exp-0(%in) {}\n"
        "%row = Slice-8(%x, %begin, %end, %step) {}\n"
        "%a = Subtract-1(%x, %row) {}\n"
        "%b = Tanh-0(%a) {}\n"
        "%r = Result-0(%b) {}\n");
    EXPECT_LT(compared.error, kTolerance) << parts << compared.message;
  }
  const Compared compared = Compare(
      Parameters("%in f32 3000,40") + "%begin" + list + "0}}\n%end" + list +
      "2999}}\n%one" + list + "1}}\n%all" + list + "3000}}\n" +
      "%x = Exp-0(%in) {}\n"
      "%head = Slice-8(%x, %begin, %end, %one) {}\n"
      "%tail = Slice-8(%x, %one, %all, %one) {}\n"
      "%a = Subtract-1(%head, %tail) {}\n"
      "%t = Softmax-8(%a) {axis: 1}\n"
      "%r = Result-0(%t) {}\n");
  EXPECT_LT(compared.error, kTolerance) << compared.message;
}

TEST(ElementwiseTest, SmallValuesAreNotComputedForEachElement) {
  ExpectOneStep(Parameters("%x f32 1,8,20,20; %g f32 1,8,1,1") +
                    "%s = Sigmoid-0(%g) {}\n"
                    "%y = Multiply-1(%x, %s) {}\n"
                    "%r = Result-0(%y) {}\n",
                "Sigmoid, Multiply");
}

TEST(ElementwiseTest, WhatIsNotReadyIsNotFused) {
  ExpectOneStep(Parameters("%x f32 5,9; %y f32 5,9") +
                    "%a = Relu-0(%x) {}\n"
                    "%t = Softmax-8(%y) {axis: 1}\n"
                    "%b = Add-1(%a, %t) {}\n"
                    "%r = Result-0(%b) {}\n",
                "Relu, Softmax, Add");
}

TEST(ElementwiseTest, DequantizationIsComputedWhereItIsRead) {
  const std::string model =
      Parameters("%x f32 2,3,40,50; %b u8 2,3,40,50; %z f32  constant_z") +
      "%f = Convert-0(%b) {destination_type: f32}\n"
      "%s = Subtract-1(%f, %z) {}\n"
      "%m = Multiply-1(%s, %z) {}\n"
      "%a = Sigmoid-0(%x) {}\n"
      "%c = Add-1(%a, %m) {}\n";
  ExpectOneStep(model + "%r = Result-0(%c) {}\n", "Sigmoid+1");
  // By each that reads it: no floats are stored for what comes later.
  ExpectOneStep(model +
                    "%t = Softmax-8(%c) {axis: 1}\n"
                    "%d = Multiply-1(%t, %m) {}\n"
                    "%r = Result-0(%d) {}\n",
                "Sigmoid+1, Softmax, Convert+3", kConvolutionTolerance);
}

TEST(ElementwiseTest, BroadcastsBothWays) {
  for (const std::string shapes :
       {"%x f32 4,1,6; %y f32 3,1", "%x f32 6; %y f32 2,5,6",
        "%x f32 ; %y f32 3,4", "%x f32 1,1; %y f32 1", "%x f32 ; %y f32 ",
        "%x f32 2,1,4,1,3,1; %y f32 1,3,1,2,1,5"}) {
    for (const std::string op : {"Add-1", "Divide-1", "Maximum-1", "Less-1"}) {
      const Compared compared = Compare(Parameters(shapes) + "%z = " + op +
                                        "(%x, %y) {}\n%r = Result-0(%z) {}\n");
      EXPECT_LT(compared.error, kTolerance) << shapes << op
                                            << compared.message;
    }
  }
}

TEST(ElementwiseTest, Types) {
  for (const std::string types :
       {"u8 f32", "i8 f32", "boolean f32", "i64 f32", "i32 f32", "f32 i32",
        "f32 i8", "u8 boolean", "f32 boolean", "f16 f32", "u8 i64",
        "i64 i32", "i32 i64", "i64 boolean", "boolean i64", "i32 boolean"}) {
    const std::vector<std::string> pair = absl::StrSplit(types, ' ');
    const Compared compared = Compare(
        Parameters(absl::StrCat("%x ", pair[0], " 3,77")) +
        "%y = Convert-0(%x) {destination_type: " + pair[1] +
        "}\n%r = Result-0(%y) {}\n");
    EXPECT_EQ(compared.error, 0) << types << compared.message;
  }
}

TEST(ElementwiseTest, IntegersStayExact) {
  const Compared compared = Compare(
      Parameters("%x i64 3,77; %y i32 3,77") +
      "%a = Add-1(%x, %x) {}\n%b = Multiply-1(%y, %y) {}\n"
      "%r = Result-0(%a) {}\n%s = Result-0(%b) {}\n");
  EXPECT_EQ(compared.error, 0) << compared.message;
  EXPECT_TRUE(absl::StartsWith(compared.KernelOf("Add"), "reference"));
}

TEST(ElementwiseTest, BitsOfTruth) {
  for (const std::string op : {"BitwiseAnd-13", "BitwiseOr-13",
                               "BitwiseXor-13"}) {
    ExpectOneStep(Parameters("%x boolean 6,50; %y boolean 50") + "%a = " + op +
                      "(%x, %y) {}\n%b = BitwiseNot-13(%a) {}\n"
                      "%r = Result-0(%b) {}\n",
                  op.substr(0, op.find('-')) + "+1");
  }
  EXPECT_EQ(Compare(Parameters("%x i32 6,50; %y i32 50") +
                    "%a = BitwiseAnd-13(%x, %y) {}\n%r = Result-0(%a) {}\n")
                .error,
            0);
}

TEST(ElementwiseTest, TruthAndChoice) {
  ExpectOneStep(Parameters("%x f32 6,50; %y f32 6,50; %z boolean 50") +
                    "%a = Greater-1(%x, %y) {}\n"
                    "%b = LogicalAnd-1(%a, %z) {}\n"
                    "%c = Select-1(%b, %x, %y) {}\n"
                    "%r = Result-0(%c) {}\n"
                    "%s = Result-0(%b) {}\n",
                "Greater+2");
}

TEST(ElementwiseTest, KeepsTheLayoutOfItsData) {
  const auto reorders = [](const std::string& between,
                           const std::string& last) {
    const Compared compared = Compare(
        Convolution(32, "9,10") +
        Parameters("%k f32 1,32,1,1 constant_k; %w2 f32 8,32,1,1 constant_w2") +
        between + "%q = Convolution-1(" + last +
        ", %w2) {strides: [1,1], dilations: [1,1], "
        "pads_begin: [0,0], pads_end: [0,0], auto_pad: explicit}\n"
        "%r = Result-0(%q) {}\n");
    EXPECT_LT(compared.error, kConvolutionTolerance) << compared.message;
    return compared.reorders;
  };
  EXPECT_EQ(reorders("%a = Multiply-1(%x, %k) {}\n%b = Sin-0(%a) {}\n", "%b"),
            reorders("", "%x"));
}

// As what mixes tokens gives it, which had to be turned for that.
TEST(ElementwiseTest, ATransposedMatrixThatARowIsReadOfIsRowMajor) {
  const std::string model =
      Parameters("%x f32 1,12,20; %y f32 1,20,12; %w f32 20,8 constant_w") +
      "%e = Exp-0(%x) {}\n%f = Exp-0(%y) {}\n"
      "%o = Constant-0() {value: i64[3] {0, 2, 1}}\n"
      "%t = Transpose-1(%f, %o) {}\n"
      "%s = Add-1(%e, %t) {auto_broadcast: numpy}\n";
  const std::string norm =
      "%i = Constant-0() {value: i64[1] {-1}}\n"
      "%n = MVN-6(%s, %i) {normalize_variance: true, eps: 1e-5, eps_mode: "
      "inside_sqrt}\n%r = Result-0(%n) {}\n";
  const Compared normalized = Compare(model + norm);
  EXPECT_LT(normalized.error, kConvolutionTolerance) << normalized.message;
  EXPECT_EQ(normalized.KernelOf("MVN"), "layer_norm");
  const Compared multiplied = Compare(
      model +
      "%n = MatMul-0(%s, %w) {transpose_a: false, transpose_b: false}\n"
      "%r = Result-0(%n) {}\n");
  EXPECT_LT(multiplied.error, kConvolutionTolerance) << multiplied.message;
  EXPECT_EQ(multiplied.reorders, 1);
}

TEST(ElementwiseTest, ChannelsThatFillBlocksStayZero) {
  for (const int channels : {32, 20, 3, 1}) {
    const std::string c = std::to_string(channels);
    std::string model =
        Convolution(channels, "9,10") +
        Parameters("%k f32 1," + c + ",1,1 constant_k; %g f32 2," + c +
                   ",1,1; %m f32 1,1,9,10; %w2 f32 8," + c +
                   ",1,1 constant_w2") +
        "%a = Multiply-1(%x, %k) {}\n"
        "%b = Add-1(%a, %x) {}\n"
        "%c = Exp-0(%b) {}\n"
        "%d = Multiply-1(%c, %g) {}\n"
        "%e = Add-1(%d, %m) {}\n"
        "%q = Convolution-1(%e, %w2) {strides: [1,1], dilations: [1,1], "
        "pads_begin: [0,0], pads_end: [0,0], auto_pad: explicit}\n"
        "%r = Result-0(%q) {}\n";
    const Compared compared = Compare(model);
    EXPECT_LT(compared.error, kConvolutionTolerance)
        << channels << compared.message << compared.steps;
  }
}

TEST(ElementwiseTest, ParametersOfFunctions) {
  for (const std::string op :
       {"Clamp-0(%x) {min: -0.5, max: 1.5}", "Elu-0(%x) {alpha: 0.7}",
        "PRelu-0(%x, %slope) {}", "Gelu-7(%x) {approximation_mode: tanh}",
        "Gelu-7(%x) {approximation_mode: erf}",
        "Round-5(%x) {mode: half_away_from_zero}", "HSwish-4(%x) {}",
        "Swish-4(%x, %one) {}", "HardSigmoid-0(%x, %one, %one) {}"}) {
    const Compared compared = Compare(
        Parameters("%x f32 2,5,3,4; %slope f32 5 constant_s; "
                   "%one f32  constant_one") +
        "%y = " + op + "\n%r = Result-0(%y) {}\n");
    EXPECT_LT(compared.error, kTolerance) << op << compared.message;
  }
}

TEST(ElementwiseTest, LimitsMayHaveMoreAxesThanTheData) {
  const Compared compared = Compare(R"(
    %x = Parameter-0() {shape: [2,3], element_type: f32}
    %low = Parameter-0() {shape: [1,1,1], element_type: f32}
    %high = Parameter-0() {shape: [1], element_type: f32}
    %y = FakeQuantize-0(%x, %low, %high, %low, %high) {levels: 16, auto_broadcast: numpy}
    %r = Result-0(%y) {})");
  EXPECT_LT(compared.error, kTolerance) << compared.message;
}

}  // namespace
}  // namespace dovetail::cpu
