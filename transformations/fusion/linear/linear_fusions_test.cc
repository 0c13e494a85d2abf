#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "dovetail/core/graph/model.h"
#include "dovetail/core/ops/text/parse.h"
#include "dovetail/transformations/fusion/arithmetic/rules.h"
#include "dovetail/transformations/fusion/common/fusion_pass.h"
#include "dovetail/transformations/fusion/linear/rules.h"
#include "dovetail/transformations/testing/run_and_compare.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

constexpr CompareOptions kNear = {.tolerance = 1e-5};

FusionPass Linear() {
  return FusionPass(
      "test", {&ConstantOperandFusions, &BatchNormFusions, &ScaleFusions,
               &ParallelFusions, &MatMulTransposeFusions, &MiddleAxisFusions,
               &PadFusions, &UnseenTapFusions});
}

TEST(ScaleFusionsTest, BehindConvolution) {
  FusionPass pass = Linear();
  RunAndCompare(pass, R"(
    %x = Parameter-0() {shape: [?,1,4,4], element_type: f32}
    %w = Constant-0() {value: f32[2,1,1,2] {1, 2, 3, 4}}
    %b = Constant-0() {value: f32[1,2,1,1] {1, 1}}
    %s = Constant-0() {value: f32[2,1,1] {2, 4}}
    %t = Constant-0() {value: f32[1,2,1,1] {3, 5}}
    %c = Convolution-1(%x, %w) {strides: [1,1], dilations: [1,1], pads_begin: [0,0], pads_end: [0,1], auto_pad: explicit}
    %d = Add-1(%c, %b) {}
    %e = Multiply-1(%s, %d) {}
    %f = Add-1(%e, %t) {}
    %r = Result-0(%f) {})",
                R"(
    %x = Parameter-0() {shape: [?,1,4,4], element_type: f32}
    %w = Constant-0() {value: f32[2,1,1,2] {2, 4, 12, 16}}
    %b = Constant-0() {value: f32[1,2,1,1] {5, 9}}
    %c = Convolution-1(%x, %w) {strides: [1,1], dilations: [1,1], pads_begin: [0,0], pads_end: [0,1], auto_pad: explicit}
    %d = Add-1(%c, %b) {}
    %r = Result-0(%d) {})",
                kNear);
}

TEST(ScaleFusionsTest, BehindOthers) {
  FusionPass pass = Linear();
  RunAndCompare(pass, R"(
    %x = Parameter-0() {shape: [1,2,3], element_type: f32}
    %w = Constant-0() {value: f32[2,2,1,1] {1, 2, 3, 4}}
    %v = Constant-0() {value: f32[2,1,1,1] {1, 2}}
    %s = Constant-0() {value: f32[1,4,1] {2, 4, 8, 16}}
    %q = Constant-0() {value: f32[2,1] {3, 5}}
    %g = GroupConvolution-1(%x, %w) {strides: [1], dilations: [1], pads_begin: [0], pads_end: [0], auto_pad: explicit}
    %h = GroupConvolution-1(%x, %v) {strides: [1], dilations: [1], pads_begin: [0], pads_end: [0], auto_pad: explicit}
    %a = Multiply-1(%g, %s) {}
    %b = Multiply-1(%h, %q) {}
    %r = Result-0(%b) {})",
                R"(
    %x = Parameter-0() {shape: [1,2,3], element_type: f32}
    %w = Constant-0() {value: f32[2,2,1,1] {1, 2, 3, 4}}
    %v = Constant-0() {value: f32[2,1,1,1] {3, 10}}
    %s = Constant-0() {value: f32[1,4,1] {2, 4, 8, 16}}
    %g = GroupConvolution-1(%x, %w) {strides: [1], dilations: [1], pads_begin: [0], pads_end: [0], auto_pad: explicit}
    %a = Multiply-1(%g, %s) {}
    %h = GroupConvolution-1(%x, %v) {strides: [1], dilations: [1], pads_begin: [0], pads_end: [0], auto_pad: explicit}
    %r = Result-0(%h) {})",
                kNear);
  RunAndCompare(pass, R"(
    %x = Parameter-0() {shape: [1,2,3], element_type: f32}
    %w = Constant-0() {value: f32[2,3,1] {1, 2, 3, 4, 5, 6}}
    %s = Constant-0() {value: f32[1,3,1] {2, 4, 8}}
    %g = ConvolutionBackpropData-1(%x, %w) {strides: [1], dilations: [1], pads_begin: [0], pads_end: [0], auto_pad: explicit, output_padding: [0]}
    %a = Multiply-1(%g, %s) {}
    %r = Result-0(%a) {})",
                R"(
    %x = Parameter-0() {shape: [1,2,3], element_type: f32}
    %w = Constant-0() {value: f32[2,3,1] {2, 8, 24, 8, 20, 48}}
    %g = ConvolutionBackpropData-1(%x, %w) {strides: [1], dilations: [1], pads_begin: [0], pads_end: [0], auto_pad: explicit, output_padding: [0]}
    %r = Result-0(%g) {})",
                kNear);
  RunAndCompare(pass, R"(
    %x = Parameter-0() {shape: [1,2,3], element_type: f32}
    %w = Constant-0() {value: f32[2,1,2,1] {1, 2, 3, 4}}
    %s = Constant-0() {value: f32[1,4,1] {2, 4, 8, 16}}
    %g = GroupConvolutionBackpropData-1(%x, %w) {strides: [1], dilations: [1], pads_begin: [0], pads_end: [0], auto_pad: explicit, output_padding: [0]}
    %a = Multiply-1(%g, %s) {}
    %r = Result-0(%a) {})",
                R"(
    %x = Parameter-0() {shape: [1,2,3], element_type: f32}
    %w = Constant-0() {value: f32[2,1,2,1] {2, 8, 24, 64}}
    %g = GroupConvolutionBackpropData-1(%x, %w) {strides: [1], dilations: [1], pads_begin: [0], pads_end: [0], auto_pad: explicit, output_padding: [0]}
    %r = Result-0(%g) {})",
                kNear);
}

TEST(ScaleFusionsTest, BehindMatMulAndATranspose) {
  FusionPass pass = Linear();
  RunAndCompare(pass, R"(
    %x = Parameter-0() {shape: [?,4,3], element_type: f32}
    %w = Constant-0() {value: f32[2,3] {1, 2, 3, 4, 5, 6}}
    %b = Constant-0() {value: f32[2] {1, -1}}
    %s = Constant-0() {value: f32[1,2,1] {2, 4}}
    %o = Constant-0() {value: i64[3] {0, 2, 1}}
    %m = MatMul-0(%x, %w) {transpose_a: false, transpose_b: true}
    %a = Add-1(%m, %b) {}
    %t = Transpose-1(%a, %o) {}
    %y = Multiply-1(%t, %s) {}
    %r = Result-0(%y) {})",
                R"(
    %x = Parameter-0() {shape: [?,4,3], element_type: f32}
    %w = Constant-0() {value: f32[2,3] {2, 4, 6, 16, 20, 24}}
    %b = Constant-0() {value: f32[1,1,2] {2, -4}}
    %o = Constant-0() {value: i64[3] {0, 2, 1}}
    %m = MatMul-0(%x, %w) {transpose_a: false, transpose_b: true}
    %a = Add-1(%m, %b) {}
    %t = Transpose-1(%a, %o) {}
    %r = Result-0(%t) {})",
                kNear);
}

TEST(ScaleFusionsTest, WhatIsReadElsewhereStays) {
  FusionPass pass = Linear();
  RunAndExpectNoChange(pass, R"(
    %x = Parameter-0() {shape: [4,3], element_type: f32}
    %w = Constant-0() {value: f32[2,3] {1, 2, 3, 4, 5, 6}}
    %s = Constant-0() {value: f32[1,2] {2, 4}}
    %m = MatMul-0(%x, %w) {transpose_a: false, transpose_b: true}
    %y = Multiply-1(%m, %s) {}
    %q = Result-0(%m) {}
    %r = Result-0(%y) {})");
  RunAndExpectNoChange(pass, R"(
    %x = Parameter-0() {shape: [4,3], element_type: f32}
    %w = Constant-0() {value: f32[2,3] {1, 2, 3, 4, 5, 6}}
    %s = Constant-0() {value: f32[4,1] {2, 4, 6, 8}}
    %m = MatMul-0(%x, %w) {transpose_a: false, transpose_b: true}
    %y = Multiply-1(%m, %s) {}
    %r = Result-0(%y) {})");
}

TEST(ScaleFusionsTest, BeforeConvolution) {
  FusionPass pass = Linear();
  RunAndCompare(pass, R"(
    %x = Parameter-0() {shape: [?,2,4], element_type: f32}
    %s = Constant-0() {value: f32[1,2,1] {2, 4}}
    %t = Constant-0() {value: f32[1,2,1] {1, 3}}
    %w = Constant-0() {value: f32[1,2,2] {1, 2, 3, 4}}
    %a = Multiply-1(%x, %s) {}
    %b = Add-1(%a, %t) {}
    %c = Convolution-1(%b, %w) {strides: [1], dilations: [1], pads_begin: [0], pads_end: [0], auto_pad: explicit}
    %r = Result-0(%c) {})",
                R"(
    %x = Parameter-0() {shape: [?,2,4], element_type: f32}
    %w = Constant-0() {value: f32[1,2,2] {2, 4, 12, 16}}
    %c = Convolution-1(%x, %w) {strides: [1], dilations: [1], pads_begin: [0], pads_end: [0], auto_pad: explicit}
    %t = Constant-0() {value: f32[1,1,1] {24}}
    %b = Add-1(%c, %t) {}
    %r = Result-0(%b) {})",
                kNear);
  // Zeros around are not shifted.
  RunAndExpectNoChange(pass, R"(
    %x = Parameter-0() {shape: [?,2,4], element_type: f32}
    %t = Constant-0() {value: f32[1,2,1] {1, 3}}
    %w = Constant-0() {value: f32[1,2,2] {1, 2, 3, 4}}
    %b = Add-1(%x, %t) {}
    %c = Convolution-1(%b, %w) {strides: [1], dilations: [1], pads_begin: [1], pads_end: [0], auto_pad: explicit}
    %r = Result-0(%c) {})");
}

TEST(BatchNormFusionsTest, IntoTheWeights) {
  FusionPass pass = Linear();
  RunAndCompare(pass, R"(
    %x = Parameter-0() {shape: [?,1,4], element_type: f32}
    %w = Constant-0() {value: f32[2,1,1] {1, 2}}
    %g = Constant-0() {value: f32[2] {2, 4}}
    %b = Constant-0() {value: f32[2] {1, 1}}
    %m = Constant-0() {value: f32[2] {3, 5}}
    %v = Constant-0() {value: f32[2] {0.75, 3.75}}
    %c = Convolution-1(%x, %w) {strides: [1], dilations: [1], pads_begin: [0], pads_end: [1], auto_pad: explicit}
    %n = BatchNormInference-5(%c, %g, %b, %m, %v) {epsilon: 0.25}
    %r = Result-0(%n) {})",
                R"(
    %x = Parameter-0() {shape: [?,1,4], element_type: f32}
    %w = Constant-0() {value: f32[2,1,1] {2, 4}}
    %c = Convolution-1(%x, %w) {strides: [1], dilations: [1], pads_begin: [0], pads_end: [1], auto_pad: explicit}
    %b = Constant-0() {value: f32[1,2,1] {-5, -9}}
    %n = Add-1(%c, %b) {}
    %r = Result-0(%n) {})",
                kNear);
}

TEST(MiddleAxisFusionsTest, FewColumns) {
  FusionPass pass = Linear();
  RunAndCompare(pass, R"(
    %x = Parameter-0() {shape: [2,3,4,5], element_type: f32}
    %o = Constant-0() {value: i64[4] {0, 2, 3, 1}}
    %w = Constant-0() {value: f32[2,3] {1, 2, 3, 4, 5, 6}}
    %t = Transpose-1(%x, %o) {}
    %m = MatMul-0(%t, %w) {transpose_a: false, transpose_b: true}
    %r = Result-0(%m) {})",
                R"(
    %x = Parameter-0() {shape: [2,3,4,5], element_type: f32}
    %w = Constant-0() {value: f32[2,3] {1, 2, 3, 4, 5, 6}}
    %f = Constant-0() {value: i64[3] {2, 3, 20}}
    %s = Reshape-1(%x, %f) {special_zero: false}
    %m = MatMul-0(%w, %s) {transpose_a: false, transpose_b: false}
    %g = Constant-0() {value: i64[4] {2, 2, 4, 5}}
    %u = Reshape-1(%m, %g) {special_zero: false}
    %o = Constant-0() {value: i64[4] {0, 2, 3, 1}}
    %t = Transpose-1(%u, %o) {}
    %r = Result-0(%t) {})",
                kNear);
}

// Few positions, and axes that change places otherwise.
TEST(MiddleAxisFusionsTest, NotElsewhere) {
  for (const absl::string_view shape_and_order :
       {"shape: [1,2,3,4]/0, 2, 3, 1", "shape: [1,2,5,8]/0, 3, 2, 1"}) {
    const auto [shape, order] = std::pair<absl::string_view, absl::string_view>(
        absl::StrSplit(shape_and_order, '/'));
    FusionPass pass = Linear();
    const std::string model =
        absl::StrCat("%x = Parameter-0() {", shape, ", element_type: f32}\n",
                     "%o = Constant-0() {value: i64[4] {", order, "}}\n", R"(
    %w = Constant-0() {value: f32[2,1] {1, 2}}
    %t = Transpose-1(%x, %o) {}
    %m = MatMul-0(%t, %w) {transpose_a: false, transpose_b: false}
    %r = Result-0(%m) {})");
    RunAndCompare(pass, model, model, kNear);
  }
}

TEST(MatMulTransposeFusionsTest, BothSides) {
  FusionPass pass = Linear();
  RunAndCompare(pass, R"(
    %x = Parameter-0() {shape: [?,4,3], element_type: f32}
    %y = Parameter-0() {shape: [?,3,2], element_type: f32}
    %o = Constant-0() {value: i64[3] {0, 2, 1}}
    %a = Transpose-1(%x, %o) {}
    %b = Transpose-1(%y, %o) {}
    %m = MatMul-0(%a, %b) {transpose_a: true, transpose_b: true}
    %r = Result-0(%m) {})",
                R"(
    %x = Parameter-0() {shape: [?,4,3], element_type: f32}
    %y = Parameter-0() {shape: [?,3,2], element_type: f32}
    %m = MatMul-0(%x, %y) {transpose_a: false, transpose_b: false}
    %r = Result-0(%m) {})");
}

TEST(PadFusionsTest, Convolution) {
  FusionPass pass = Linear();
  RunAndCompare(pass, R"(
    %x = Parameter-0() {shape: [?,1,4], element_type: f32}
    %b = Constant-0() {value: i64[3] {0, 0, 1}}
    %e = Constant-0() {value: i64[3] {0, 0, 2}}
    %p = Pad-1(%x, %b, %e) {pad_mode: constant}
    %w = Constant-0() {value: f32[1,1,2] {1, 2}}
    %c = Convolution-1(%p, %w) {strides: [1], dilations: [1], pads_begin: [1], pads_end: [0], auto_pad: explicit}
    %r = Result-0(%c) {})",
                R"(
    %x = Parameter-0() {shape: [?,1,4], element_type: f32}
    %w = Constant-0() {value: f32[1,1,2] {1, 2}}
    %c = Convolution-1(%x, %w) {strides: [1], dilations: [1], pads_begin: [2], pads_end: [2], auto_pad: explicit}
    %r = Result-0(%c) {})");
  RunAndExpectNoChange(pass, R"(
    %x = Parameter-0() {shape: [?,1,4], element_type: f32}
    %b = Constant-0() {value: i64[3] {0, 0, 1}}
    %v = Constant-0() {value: f32[] {1}}
    %p = Pad-1(%x, %b, %b, %v) {pad_mode: constant}
    %w = Constant-0() {value: f32[1,1,2] {1, 2}}
    %c = Convolution-1(%p, %w) {strides: [1], dilations: [1], pads_begin: [1], pads_end: [0], auto_pad: explicit}
    %r = Result-0(%c) {})");
}

TEST(PadFusionsTest, WhatNoWindowCanHaveStays) {
  FusionPass pass = Linear();
  Model model = ParseOrFail(R"(
    %x = Parameter-0() {shape: [1,1,?], element_type: f32}
    %b = Constant-0() {value: i64[3] {0, 0, 4000000000}}
    %e = Constant-0() {value: i64[3] {0, 0, -1}}
    %p = Pad-12(%x, %b, %b) {pad_mode: constant}
    %q = Pad-12(%x, %e, %e) {pad_mode: constant}
    %w = Constant-0() {value: f32[1,1,2] {1, 2}}
    %c = Convolution-1(%p, %w) {strides: [1], dilations: [1], pads_begin: [1], pads_end: [0], auto_pad: explicit}
    %d = Convolution-1(%q, %w) {strides: [1], dilations: [1], pads_begin: [1], pads_end: [0], auto_pad: explicit}
    %r = Result-0(%c) {}
    %s = Result-0(%d) {})");
  EXPECT_FALSE(pass.Run(model).value());
}

TEST(PadFusionsTest, Pools) {
  FusionPass pass = Linear();
  RunAndCompare(pass, R"(
    %x = Parameter-0() {shape: [?,1,4], element_type: f32}
    %q = Relu-0(%x) {}
    %b = Constant-0() {value: i64[3] {0, 0, 1}}
    %p = Pad-1(%q, %b, %b) {pad_mode: constant}
    %c = MaxPool-1(%p) {strides: [1], pads_begin: [0], pads_end: [0], kernel: [3], rounding_type: floor, auto_pad: explicit}
    %r = Result-0(%c) {})",
                R"(
    %x = Parameter-0() {shape: [?,1,4], element_type: f32}
    %q = Relu-0(%x) {}
    %c = MaxPool-1(%q) {strides: [1], pads_begin: [1], pads_end: [1], kernel: [3], rounding_type: floor, auto_pad: explicit}
    %r = Result-0(%c) {})");
  RunAndCompare(pass, R"(
    %x = Parameter-0() {shape: [?,1,4], element_type: f32}
    %b = Constant-0() {value: i64[3] {0, 0, 1}}
    %p = Pad-1(%x, %b, %b) {pad_mode: constant}
    %c = AvgPool-1(%p) {kernel: [3], strides: [2], pads_begin: [0], pads_end: [0], exclude-pad: true, auto_pad: explicit, rounding_type: floor}
    %r = Result-0(%c) {})",
                R"(
    %x = Parameter-0() {shape: [?,1,4], element_type: f32}
    %c = AvgPool-1(%x) {kernel: [3], strides: [2], pads_begin: [1], pads_end: [1], exclude-pad: false, auto_pad: explicit, rounding_type: floor}
    %r = Result-0(%c) {})",
                kNear);
  // Zeros may be more than what they are around.
  RunAndExpectNoChange(pass, R"(
    %x = Parameter-0() {shape: [?,1,4], element_type: f32}
    %b = Constant-0() {value: i64[3] {0, 0, 1}}
    %p = Pad-1(%x, %b, %b) {pad_mode: constant}
    %c = MaxPool-1(%p) {strides: [1], pads_begin: [0], pads_end: [0], kernel: [3], rounding_type: floor, auto_pad: explicit}
    %r = Result-0(%c) {})");
}

// Of three taps, 6 apart, around each of 4 elements all but the middle one see
// padding; along the other axis the first one does, as it has a stride.
TEST(UnseenTapFusionsTest, AreLeftOut) {
  FusionPass pass = Linear();
  RunAndCompare(pass, R"(
    %x = Parameter-0() {shape: [1,1,4,3], element_type: f32}
    %w = Constant-0() {value: f32[1,1,3,2] {1, 2, 3, 4, 5, 6}}
    %c = Convolution-1(%x, %w) {strides: [1,2], dilations: [6,3], pads_begin: [6,5], pads_end: [6,0], auto_pad: explicit}
    %r = Result-0(%c) {})",
                R"(
    %x = Parameter-0() {shape: [1,1,4,3], element_type: f32}
    %w = Constant-0() {value: f32[1,1,1,1] {4}}
    %c = Convolution-1(%x, %w) {strides: [1,2], dilations: [6,3], pads_begin: [0,2], pads_end: [0,0], auto_pad: explicit}
    %r = Result-0(%c) {})");
  RunAndCompare(pass, R"(
    %x = Parameter-0() {shape: [1,2,4], element_type: f32}
    %w = Constant-0() {value: f32[2,1,1,3] {1, 2, 3, 4, 5, 6}}
    %c = GroupConvolution-1(%x, %w) {strides: [1], dilations: [4], pads_begin: [0], pads_end: [0], auto_pad: same_upper}
    %r = Result-0(%c) {})",
                R"(
    %x = Parameter-0() {shape: [1,2,4], element_type: f32}
    %w = Constant-0() {value: f32[2,1,1,1] {2, 5}}
    %c = GroupConvolution-1(%x, %w) {strides: [1], dilations: [4], pads_begin: [0], pads_end: [0], auto_pad: explicit}
    %r = Result-0(%c) {})");
}

TEST(UnseenTapFusionsTest, IntegersStaySuch) {
  FusionPass pass = Linear();
  RunAndCompare(pass, R"(
    %x = Parameter-0() {shape: [1,1,1], element_type: f32}
    %i = Constant-0() {value: i8[1,1,3] {1, 2, 3}}
    %w = Convert-0(%i) {destination_type: f32}
    %c = Convolution-1(%x, %w) {strides: [1], dilations: [1], pads_begin: [1], pads_end: [1], auto_pad: explicit}
    %r = Result-0(%c) {})",
                R"(
    %x = Parameter-0() {shape: [1,1,1], element_type: f32}
    %i = Constant-0() {value: i8[1,1,1] {2}}
    %w = Convert-0(%i) {destination_type: f32}
    %c = Convolution-1(%x, %w) {strides: [1], dilations: [1], pads_begin: [0], pads_end: [0], auto_pad: explicit}
    %r = Result-0(%c) {})",
                {.remove_unused = true});
}

// Such as that which keeps the conversion from being folded.
TEST(UnseenTapFusionsTest, MarksOfConversionsStay) {
  Model model = *ParseModelText(R"(
    %x = Parameter-0() {shape: [1,1,1], element_type: f32}
    %i = Constant-0() {value: i8[1,1,3] {1, 2, 3}}
    %w = Convert-0(%i) {destination_type: f32}  # w
    %c = Convolution-1(%x, %w) {strides: [1], dilations: [1], pads_begin: [1], pads_end: [1], auto_pad: explicit}  # c
    %r = Result-0(%c) {})");
  model.FindNode("w")->rt_info().Set({"mark", "value"}, "kept");
  FusionPass pass = Linear();
  ASSERT_TRUE(*pass.Run(model));
  const Node& weights = *model.FindNode("c")->input(1).node;
  ASSERT_EQ(weights.port().shape, PartialShape({1, 1, 1}));
  const std::string* mark = weights.rt_info().Find({"mark", "value"});
  ASSERT_NE(mark, nullptr);
  EXPECT_EQ(*mark, "kept");
}

TEST(UnseenTapFusionsTest, WhatSeesAnElementStays) {
  FusionPass pass = Linear();
  // The last of 7 elements is 6 behind the first.
  RunAndExpectNoChange(pass, R"(
    %x = Parameter-0() {shape: [1,1,7], element_type: f32}
    %w = Constant-0() {value: f32[1,1,3] {1, 2, 3}}
    %c = Convolution-1(%x, %w) {strides: [1], dilations: [6], pads_begin: [6], pads_end: [6], auto_pad: explicit}
    %r = Result-0(%c) {})");
  RunAndExpectNoChange(pass, R"(
    %x = Parameter-0() {shape: [1,1,?], element_type: f32}
    %w = Constant-0() {value: f32[1,1,3] {1, 2, 3}}
    %c = Convolution-1(%x, %w) {strides: [1], dilations: [6], pads_begin: [6], pads_end: [6], auto_pad: explicit}
    %r = Result-0(%c) {})");
  // A padding of 4 has no room for a tap 9 away.
  RunAndExpectNoChange(pass, R"(
    %x = Parameter-0() {shape: [1,1,7], element_type: f32}
    %w = Constant-0() {value: f32[1,1,2] {1, 2}}
    %c = Convolution-1(%x, %w) {strides: [1], dilations: [9], pads_begin: [4], pads_end: [0], auto_pad: explicit}
    %r = Result-0(%c) {})");
}

std::string ByChannel(absl::string_view weights, absl::string_view operation) {
  return absl::StrCat(R"(
    %x = Parameter-0() {shape: [1,2,3,4], element_type: f32}
    %i = Constant-0() {value: i8)",
                      weights, R"( {2, 3}}
    %f = Convert-0(%i) {destination_type: f32}
    %s = Constant-0() {value: f32[] {0.5}}
    %w = Multiply-1(%f, %s) {})",
                      operation, R"(
    %r = Result-0(%c) {})");
}

TEST(QuantizedChannelScalesTest, AreProducts) {
  FusionPass pass("scales", {&QuantizedChannelScales});
  RunAndCompare(pass, ByChannel("[2,1,1,1,1]", R"(
    %c = GroupConvolution-1(%x, %w) {strides: [1,1], dilations: [1,1], pads_begin: [0,0], pads_end: [0,0], auto_pad: explicit})"),
                ByChannel("[2,1,1,1,1]", R"(
    %d = Constant-0() {value: i64[4] {1, 2, 1, 1}}
    %v = Reshape-1(%w, %d) {special_zero: false}
    %c = Multiply-1(%x, %v) {})"));
}

TEST(QuantizedChannelScalesTest, OthersStay) {
  FusionPass pass("scales", {&QuantizedChannelScales});
  for (const absl::string_view operation :
       {// Elements are left out, or padding is seen.
        "%c = GroupConvolution-1(%x, %w) {strides: [1,2], dilations: [1,1], "
        "pads_begin: [0,0], pads_end: [0,0], auto_pad: explicit}",
        "%c = GroupConvolution-1(%x, %w) {strides: [1,1], dilations: [1,1], "
        "pads_begin: [1,0], pads_end: [0,0], auto_pad: explicit}",
        // The result is quantized, too.
        "%p = GroupConvolution-1(%x, %w) {strides: [1,1], dilations: [1,1], "
        "pads_begin: [0,0], pads_end: [0,0], auto_pad: explicit}\n"
        "%b = Add-1(%p, %s) {}\n"
        "%c = FakeQuantize-0(%b, %s, %s, %s, %s) {levels: 256}"}) {
    RunAndExpectNoChange(
        pass, ByChannel("[2,1,1,1,1]", absl::StrCat("\n", operation)));
  }
  RunAndExpectNoChange(pass, ByChannel("[2,1,1,1,1]", R"(
    %v = Constant-0() {value: f32[2,1,1,1,1] {2, 3}}
    %c = GroupConvolution-1(%x, %v) {strides: [1,1], dilations: [1,1], pads_begin: [0,0], pads_end: [0,0], auto_pad: explicit})"));
}

// A block of RepVGG: windows of three and of one, and the input itself.
TEST(ParallelFusionsTest, BranchesAreOneConvolution) {
  FusionPass pass = Linear();
  RunAndCompare(pass, R"(
    %x = Parameter-0() {shape: [?,2,5], element_type: f32}
    %w = Constant-0() {value: f32[2,2,3] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}}
    %v = Constant-0() {value: f32[2,2,1] {10, 20, 30, 40}}
    %s = Constant-0() {value: f32[1,2,1] {100, 200}}
    %d = Constant-0() {value: f32[1,2,1] {1, 2}}
    %e = Constant-0() {value: f32[2,1] {3, 5}}
    %f = Constant-0() {value: f32[1,2,1] {7, 11}}
    %a = Convolution-1(%x, %w) {strides: [1], dilations: [1], pads_begin: [1], pads_end: [1], auto_pad: explicit}
    %g = Add-1(%a, %d) {}
    %b = Convolution-1(%x, %v) {strides: [1], dilations: [1], pads_begin: [0], pads_end: [0], auto_pad: valid}
    %h = Add-1(%b, %e) {}
    %i = Add-1(%h, %g) {}
    %c = Multiply-1(%x, %s) {}
    %j = Add-1(%c, %f) {}
    %k = Add-1(%j, %i) {}
    %r = Result-0(%k) {})",
                R"(
    %x = Parameter-0() {shape: [?,2,5], element_type: f32}
    %w = Constant-0() {value: f32[2,2,3] {1, 112, 3, 4, 25, 6, 7, 38, 9, 10, 251, 12}}
    %d = Constant-0() {value: f32[1,2,1] {11, 18}}
    %a = Convolution-1(%x, %w) {strides: [1], dilations: [1], pads_begin: [1], pads_end: [1], auto_pad: explicit}
    %g = Add-1(%a, %d) {}
    %r = Result-0(%g) {})",
                kNear);
}

// Windows that begin at different elements, and step over some.
TEST(ParallelFusionsTest, WindowsAreJoined) {
  FusionPass pass = Linear();
  RunAndCompare(pass, R"(
    %x = Parameter-0() {shape: [1,2,9,9], element_type: f32}
    %w = Constant-0() {value: f32[2,1,1,3,2] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}}
    %v = Constant-0() {value: f32[2,1,1,2,2] {10, 20, 30, 40, 50, 60, 70, 80}}
    %a = GroupConvolution-1(%x, %w) {strides: [2,2], dilations: [2,1], pads_begin: [2,1], pads_end: [3,0], auto_pad: explicit}
    %b = GroupConvolution-1(%x, %v) {strides: [2,2], dilations: [2,1], pads_begin: [0,1], pads_end: [3,0], auto_pad: explicit}
    %c = Add-1(%a, %b) {}
    %r = Result-0(%c) {})",
                R"(
    %x = Parameter-0() {shape: [1,2,9,9], element_type: f32}
    %w = Constant-0() {value: f32[2,1,1,3,2] {1, 2, 13, 24, 35, 46, 7, 8, 59, 70, 81, 92}}
    %a = GroupConvolution-1(%x, %w) {strides: [2,2], dilations: [2,1], pads_begin: [2,1], pads_end: [3,0], auto_pad: explicit}
    %r = Result-0(%a) {})",
                kNear);
  // Channels by themselves times a number each.
  RunAndCompare(pass, R"(
    %x = Parameter-0() {shape: [1,2,9], element_type: f32}
    %w = Constant-0() {value: f32[2,1,1,3] {1, 2, 3, 4, 5, 6}}
    %s = Constant-0() {value: f32[] {10}}
    %a = GroupConvolution-1(%x, %w) {strides: [1], dilations: [2], pads_begin: [2], pads_end: [2], auto_pad: explicit}
    %b = Multiply-1(%x, %s) {}
    %c = Add-1(%a, %b) {}
    %r = Result-0(%c) {})",
                R"(
    %x = Parameter-0() {shape: [1,2,9], element_type: f32}
    %w = Constant-0() {value: f32[2,1,1,3] {1, 12, 3, 4, 15, 6}}
    %a = GroupConvolution-1(%x, %w) {strides: [1], dilations: [2], pads_begin: [2], pads_end: [2], auto_pad: explicit}
    %r = Result-0(%a) {})",
                kNear);
}

TEST(ParallelFusionsTest, WhatWouldTakeMoreProductsStays) {
  FusionPass pass = Linear();
  RunAndExpectNoChange(pass, R"(
    %x = Parameter-0() {shape: [1,1,9,9], element_type: f32}
    %w = Constant-0() {value: f32[1,1,3,1] {1, 2, 3}}
    %v = Constant-0() {value: f32[1,1,1,3] {1, 2, 3}}
    %a = Convolution-1(%x, %w) {strides: [1,1], dilations: [1,1], pads_begin: [1,0], pads_end: [1,0], auto_pad: explicit}
    %b = Convolution-1(%x, %v) {strides: [1,1], dilations: [1,1], pads_begin: [0,1], pads_end: [0,1], auto_pad: explicit}
    %c = Add-1(%a, %b) {}
    %r = Result-0(%c) {})");
}

TEST(ParallelFusionsTest, WhatDoesNotFitStays) {
  FusionPass pass = Linear();
  // Taps between those of the other.
  RunAndExpectNoChange(pass, R"(
    %x = Parameter-0() {shape: [1,1,9], element_type: f32}
    %w = Constant-0() {value: f32[1,1,3] {1, 2, 3}}
    %v = Constant-0() {value: f32[1,1,2] {1, 2}}
    %a = Convolution-1(%x, %w) {strides: [1], dilations: [2], pads_begin: [2], pads_end: [2], auto_pad: explicit}
    %b = Convolution-1(%x, %v) {strides: [1], dilations: [2], pads_begin: [1], pads_end: [1], auto_pad: explicit}
    %c = Add-1(%a, %b) {}
    %r = Result-0(%c) {})");
  // Other dilations, and another input.
  RunAndExpectNoChange(pass, R"(
    %x = Parameter-0() {shape: [1,1,9], element_type: f32}
    %y = Parameter-0() {shape: [1,1,9], element_type: f32}
    %w = Constant-0() {value: f32[1,1,3] {1, 2, 3}}
    %v = Constant-0() {value: f32[1,1,3] {4, 5, 6}}
    %a = Convolution-1(%x, %w) {strides: [1], dilations: [2], pads_begin: [2], pads_end: [2], auto_pad: explicit}
    %b = Convolution-1(%x, %v) {strides: [1], dilations: [1], pads_begin: [1], pads_end: [1], auto_pad: explicit}
    %d = Convolution-1(%y, %v) {strides: [1], dilations: [1], pads_begin: [1], pads_end: [1], auto_pad: explicit}
    %c = Add-1(%a, %b) {}
    %e = Add-1(%c, %d) {}
    %r = Result-0(%e) {})");
  // Something else reads a branch.
  RunAndExpectNoChange(pass, R"(
    %x = Parameter-0() {shape: [1,1,9], element_type: f32}
    %w = Constant-0() {value: f32[1,1,3] {1, 2, 3}}
    %v = Constant-0() {value: f32[1,1,1] {4}}
    %a = Convolution-1(%x, %w) {strides: [1], dilations: [1], pads_begin: [1], pads_end: [1], auto_pad: explicit}
    %b = Convolution-1(%x, %v) {strides: [1], dilations: [1], pads_begin: [0], pads_end: [0], auto_pad: explicit}
    %c = Add-1(%a, %b) {}
    %r = Result-0(%c) {}
    %s = Result-0(%b) {})");
}

TEST(MultipliedChannelsTest, AreRepeatedBefore) {
  FusionPass pass("test", {&MultipliedChannels});
  RunAndCompare(pass, R"(
    %x = Parameter-0() {shape: [?,8,3], element_type: f32}
    %w = Constant-0() {value: f32[8,2,1,1] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}}
    %a = GroupConvolution-1(%x, %w) {strides: [1], dilations: [1], pads_begin: [0], pads_end: [0], auto_pad: explicit}
    %r = Result-0(%a) {})",
                R"(
    %x = Parameter-0() {shape: [?,8,3], element_type: f32}
    %w = Constant-0() {value: f32[16,1,1,1] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}}
    %b = Concat-0(%x, %x) {axis: 1}
    %c = ShuffleChannels-0(%b) {axis: 1, group: 2}
    %a = GroupConvolution-1(%c, %w) {strides: [1], dilations: [1], pads_begin: [0], pads_end: [0], auto_pad: explicit}
    %r = Result-0(%a) {})");
}

TEST(MultipliedChannelsTest, IntegersAreRepeatedAsSuch) {
  FusionPass pass("test", {&MultipliedChannels});
  const std::string window =
      "{strides: [1], dilations: [1], pads_begin: [0], pads_end: [0], "
      "auto_pad: explicit}";
  RunAndCompare(pass,
                absl::StrCat(R"(
    %x = Parameter-0() {shape: [?,8,3], element_type: u8}
    %f = Convert-0(%x) {destination_type: f32}
    %z = Constant-0() {value: f32[1,8,1] {1, 2, 3, 4, 5, 6, 7, 8}}
    %s = Subtract-1(%f, %z) {}
    %q = Constant-0() {value: i8[8,2,1,1] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}}
    %w = Convert-0(%q) {destination_type: f32}
    %a = GroupConvolution-1(%s, %w) )",
                             window, "\n%r = Result-0(%a) {}"),
                absl::StrCat(R"(
    %x = Parameter-0() {shape: [?,8,3], element_type: u8}
    %b = Concat-0(%x, %x) {axis: 1}
    %c = ShuffleChannels-0(%b) {axis: 1, group: 2}
    %f = Convert-0(%c) {destination_type: f32}
    %z = Constant-0() {value: f32[1,16,1] {1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8}}
    %s = Subtract-1(%f, %z) {}
    %q = Constant-0() {value: i8[16,1,1,1] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}}
    %w = Convert-0(%q) {destination_type: f32}
    %a = GroupConvolution-1(%s, %w) )",
                             window, "\n%r = Result-0(%a) {}"),
                {.remove_unused = true});
}

TEST(MultipliedChannelsTest, GroupsOfMoreChannelsStay) {
  FusionPass pass("test", {&MultipliedChannels});
  RunAndExpectNoChange(pass, R"(
    %x = Parameter-0() {shape: [1,16,3], element_type: f32}
    %w = Constant-0() {value: f32[8,1,2,1] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}}
    %a = GroupConvolution-1(%x, %w) {strides: [1], dilations: [1], pads_begin: [0], pads_end: [0], auto_pad: explicit}
    %r = Result-0(%a) {})");
}

TEST(MergedGroupsTest, FewChannelsFillATile) {
  FusionPass pass("test", {&MergedGroupsOfFewChannels});
  const std::string window =
      "{strides: [1], dilations: [1], pads_begin: [0], pads_end: [0], "
      "auto_pad: "
      "explicit}";
  RunAndCompare(pass,
                absl::StrCat(R"(
    %x = Parameter-0() {shape: [?,4,3], element_type: f32}
    %w = Constant-0() {value: f32[2,1,2,2] {1, 2, 3, 4, 5, 6, 7, 8}}
    %a = GroupConvolution-1(%x, %w) )",
                             window, R"(
    %r = Result-0(%a) {})"),
                absl::StrCat(R"(
    %x = Parameter-0() {shape: [?,4,3], element_type: f32}
    %w = Constant-0() {value: f32[2,4,2] {1, 2, 3, 4, 0, 0, 0, 0, 0, 0, 0, 0, 5, 6, 7, 8}}
    %a = Convolution-1(%x, %w) )",
                             window, R"(
    %r = Result-0(%a) {})"));
  // Channels by themselves, and as many as fill a tile.
  RunAndExpectNoChange(pass, absl::StrCat(R"(
    %x = Parameter-0() {shape: [1,2,3], element_type: f32}
    %w = Constant-0() {value: f32[2,1,1,1] {1, 2}}
    %a = GroupConvolution-1(%x, %w) )",
                                          window, R"(
    %r = Result-0(%a) {})"));
  RunAndExpectNoChange(pass, absl::StrCat(R"(
    %x = Parameter-0() {shape: [1,26,3], element_type: f32}
    %w = Constant-0() {value: f32[2,1,13,1] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26}}
    %a = GroupConvolution-1(%x, %w) )",
                                          window, R"(
    %r = Result-0(%a) {})"));
}

// A convolution with a bias over two parts of 2 and 6 channels.
std::string OverParts(const std::string& more) {
  return R"(
    %x = Parameter-0() {shape: [?,2,4,4], element_type: f32}
    %y = Parameter-0() {shape: [?,6,4,4], element_type: f32}
    %j = Concat-0(%x, %y) {axis: -3}
    %w = Constant-0() {value: f32[2,8,1,1] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}}
    %b = Constant-0() {value: f32[1,2,1,1] {5, 6}}
    %c = Convolution-1(%j, %w) {strides: [1,1], dilations: [1,1], pads_begin: [0,0], pads_end: [0,0], auto_pad: explicit}
    %a = Add-1(%c, %b) {}
    %r = Result-0(%a) {}
)" + more;
}

TEST(ConvolutionsOfPartsTest, EachPartHasItsWeights) {
  FusionPass pass("test", {&ConvolutionsOfParts});
  const std::string attributes =
      "{strides: [1,1], dilations: [1,1], pads_begin: [0,0], pads_end: [0,0], "
      "auto_pad: explicit}";
  RunAndCompare(pass, OverParts(""),
                absl::StrCat(R"(
    %x = Parameter-0() {shape: [?,2,4,4], element_type: f32}
    %y = Parameter-0() {shape: [?,6,4,4], element_type: f32}
    %v = Constant-0() {value: f32[2,2,1,1] {1, 2, 9, 10}}
    %p = Convolution-1(%x, %v) )",
                             attributes, R"(
    %b = Constant-0() {value: f32[1,2,1,1] {5, 6}}
    %s = Add-1(%p, %b) {}
    %w = Constant-0() {value: f32[2,6,1,1] {3, 4, 5, 6, 7, 8, 11, 12, 13, 14, 15, 16}}
    %q = Convolution-1(%y, %w) )",
                             attributes, R"(
    %a = Add-1(%q, %s) {}
    %r = Result-0(%a) {})"));
}

TEST(ConvolutionsOfPartsTest, PoolsAreBeforePartsAreJoined) {
  FusionPass pass("test", {&ConvolutionsOfParts});
  const auto parts = [](const std::string& pool, const std::string& more) {
    return R"(
    %x = Parameter-0() {shape: [1,2,4,4], element_type: f32}
    %y = Parameter-0() {shape: [1,3,4,4], element_type: f32}
    %j = Concat-0(%x, %y) {axis: 1}
    %p = )" +
           pool + "\n    %r = Result-0(%p) {}\n" + more;
  };
  const std::string window =
      "{strides: [2,2], pads_begin: [0,0], pads_end: [0,0], kernel: [2,2], "
      "rounding_type: floor, auto_pad: explicit}";
  RunAndCompare(pass, parts("MaxPool-1(%j) " + window, ""),
                absl::StrCat(R"(
    %x = Parameter-0() {shape: [1,2,4,4], element_type: f32}
    %p = MaxPool-1(%x) )",
                             window, R"(
    %y = Parameter-0() {shape: [1,3,4,4], element_type: f32}
    %q = MaxPool-1(%y) )",
                             window, R"(
    %j = Concat-0(%p, %q) {axis: 1}
    %r = Result-0(%j) {})"));
  const std::string later =
      "MaxPool-8(%j) {strides: [2,2], dilations: [1,1], pads_begin: [0,0], "
      "pads_end: [0,0], kernel: [2,2], rounding_type: floor, auto_pad: "
      "explicit, index_element_type: i64, axis: 0}";
  RunAndExpectNoChange(pass, parts(later, "%i = Result-0(%p:1) {}"));
}

TEST(ConvolutionsOfPartsTest, OthersStay) {
  FusionPass pass("test", {&ConvolutionsOfParts});
  // Somebody else reads the parts together.
  RunAndExpectNoChange(pass, OverParts("%t = Result-0(%j) {}"));
  // Not channels are joined.
  RunAndExpectNoChange(pass, R"(
    %x = Parameter-0() {shape: [?,8,2,4], element_type: f32}
    %y = Parameter-0() {shape: [?,8,6,4], element_type: f32}
    %j = Concat-0(%x, %y) {axis: 2}
    %w = Constant-0() {value: f32[1,8,1,1] {1, 2, 3, 4, 5, 6, 7, 8}}
    %b = Constant-0() {value: f32[1,1,1,1] {5}}
    %c = Convolution-1(%j, %w) {strides: [1,1], dilations: [1,1], pads_begin: [0,0], pads_end: [0,0], auto_pad: explicit}
    %a = Add-1(%c, %b) {}
    %r = Result-0(%a) {})");
  // As many outputs as would be copied of the inputs.
  RunAndExpectNoChange(pass, R"(
    %x = Parameter-0() {shape: [?,2,4,4], element_type: f32}
    %y = Parameter-0() {shape: [?,2,4,4], element_type: f32}
    %j = Concat-0(%x, %y) {axis: 1}
    %w = Constant-0() {value: f32[2,4,1,1] {1, 2, 3, 4, 5, 6, 7, 8}}
    %b = Constant-0() {value: f32[1,2,1,1] {5, 6}}
    %c = Convolution-1(%j, %w) {strides: [1,1], dilations: [1,1], pads_begin: [0,0], pads_end: [0,0], auto_pad: explicit}
    %a = Add-1(%c, %b) {}
    %r = Result-0(%a) {})");
  // A part of no channels.
  RunAndExpectNoChange(pass, R"(
    %x = Parameter-0() {shape: [?,4,4], element_type: f32}
    %y = Parameter-0() {shape: [?,0,4], element_type: f32}
    %j = Concat-0(%x, %y) {axis: 1}
    %w = Constant-0() {value: f32[1,4,1] {1, 2, 3, 4}}
    %b = Constant-0() {value: f32[1,1,1] {5}}
    %c = Convolution-1(%j, %w) {strides: [1], dilations: [1], pads_begin: [0], pads_end: [0], auto_pad: explicit}
    %a = Add-1(%c, %b) {}
    %r = Result-0(%a) {})");
  // A window of two elements.
  RunAndExpectNoChange(pass, R"(
    %x = Parameter-0() {shape: [?,2,4], element_type: f32}
    %y = Parameter-0() {shape: [?,2,4], element_type: f32}
    %j = Concat-0(%x, %y) {axis: 1}
    %w = Constant-0() {value: f32[1,4,2] {1, 2, 3, 4, 5, 6, 7, 8}}
    %b = Constant-0() {value: f32[1,1,1] {5}}
    %c = Convolution-1(%j, %w) {strides: [1], dilations: [1], pads_begin: [0], pads_end: [0], auto_pad: explicit}
    %a = Add-1(%c, %b) {}
    %r = Result-0(%a) {})");
}

TEST(MergedGroupsTest, NoChannelsStay) {
  for (const NodeRules::Family rules :
       {&MergedGroupsOfFewChannels, &MultipliedChannels}) {
    FusionPass pass("test", {rules});
    RunAndExpectNoChange(pass, R"(
    %x = Parameter-0() {shape: [1,0,3], element_type: f32}
    %w = Constant-0() {value: f32[2,1,0,1] {}}
    %a = GroupConvolution-1(%x, %w) {strides: [1], dilations: [1], pads_begin: [0], pads_end: [0], auto_pad: explicit}
    %r = Result-0(%a) {})");
    RunAndExpectNoChange(pass, R"(
    %x = Parameter-0() {shape: [1,8,3], element_type: f32}
    %w = Constant-0() {value: f32[8,0,1,1] {}}
    %a = GroupConvolution-1(%x, %w) {strides: [1], dilations: [1], pads_begin: [0], pads_end: [0], auto_pad: explicit}
    %r = Result-0(%a) {})");
  }
}

// Of two by one windows of 128 x 2 elements.
TEST(PatchConvolutionsTest, AreCutUp) {
  FusionPass pass("test", {&PatchConvolutions});
  std::string weights = "1";
  for (int i = 1; i < 2 * 256; ++i) absl::StrAppend(&weights, ", ", i % 7 - 3);
  RunAndCompare(pass,
                absl::StrCat(R"(
    %x = Parameter-0() {shape: [1,1,256,2], element_type: f32}
    %w = Constant-0() {value: f32[2,1,128,2] {)",
                             weights, R"(}}
    %a = Convolution-1(%x, %w) {strides: [128,2], dilations: [1,1], pads_begin: [0,0], pads_end: [0,0], auto_pad: valid}
    %r = Result-0(%a) {})"),
                absl::StrCat(R"(
    %x = Parameter-0() {shape: [1,1,256,2], element_type: f32}
    %p = Constant-0() {value: i64[6] {1, 1, 2, 128, 1, 2}}
    %o = Constant-0() {value: i64[6] {0, 2, 4, 1, 3, 5}}
    %q = Constant-0() {value: i64[4] {1, 2, 1, 256}}
    %s = Constant-0() {value: i64[4] {0, 3, 1, 2}}
    %w = Constant-0() {value: f32[2,256,1,1] {)",
                             weights, R"(}}
    %b = Reshape-1(%x, %p) {special_zero: false}
    %c = Transpose-1(%b, %o) {}
    %d = Reshape-1(%c, %q) {special_zero: false}
    %e = Transpose-1(%d, %s) {}
    %a = Convolution-1(%e, %w) {strides: [1,1], dilations: [1,1], pads_begin: [0,0], pads_end: [0,0], auto_pad: explicit}
    %r = Result-0(%a) {})"),
                kNear);
}

TEST(PatchConvolutionsTest, WindowsThatMeetAndThoseThatLeaveSomeStay) {
  FusionPass pass("test", {&PatchConvolutions});
  std::string weights = "1";
  for (int i = 1; i < 256; ++i) absl::StrAppend(&weights, ", ", i % 7 - 3);
  for (const auto& [columns, stride] : {std::pair(513, 256), {512, 128}}) {
    RunAndExpectNoChange(
        pass,
        absl::StrCat(
            R"(
    %x = Parameter-0() {shape: [1,1,)",
            columns, R"(], element_type: f32}
    %w = Constant-0() {value: f32[1,1,256] {)",
            weights, R"(}}
    %a = Convolution-1(%x, %w) {strides: [)",
            stride,
            R"(], dilations: [1], pads_begin: [0], pads_end: [0], auto_pad: explicit}
    %r = Result-0(%a) {})"));
  }
}

}  // namespace
}  // namespace dovetail
