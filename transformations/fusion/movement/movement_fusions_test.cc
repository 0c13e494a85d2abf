#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "dovetail/transformations/fusion/common/fusion_pass.h"
#include "dovetail/transformations/fusion/movement/rules.h"
#include "dovetail/transformations/testing/run_and_compare.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

FusionPass Movements() {
  return FusionPass("test", {&BlockFusions, &BroadcastFusions, &PartFusions,
                             &TransposeFusions, &ReshapeFusions});
}

void Becomes(absl::string_view before, absl::string_view after) {
  FusionPass pass = Movements();
  RunAndCompare(pass, before, after, {.tolerance = 1e-5});
}

void Stays(absl::string_view text) {
  FusionPass pass = Movements();
  RunAndExpectNoChange(pass, text);
}

TEST(TransposeFusionsTest, InARow) {
  Becomes(R"(
    %x = Parameter-0() {shape: [?,3,4], element_type: f32}
    %o = Constant-0() {value: i64[3] {0, 2, 1}}
    %p = Constant-0() {value: i64[3] {2, 0, 1}}
    %a = Transpose-1(%x, %o) {}
    %b = Transpose-1(%a, %p) {}
    %r = Result-0(%b) {})",
          R"(
    %x = Parameter-0() {shape: [?,3,4], element_type: f32}
    %o = Constant-0() {value: i64[3] {1, 0, 2}}
    %b = Transpose-1(%x, %o) {}
    %r = Result-0(%b) {})");
}

TEST(TransposeFusionsTest, OfOnes) {
  Becomes(R"(
    %x = Parameter-0() {shape: [1,3,4,1], element_type: f32}
    %o = Constant-0() {value: i64[4] {1, 3, 2, 0}}
    %a = Transpose-1(%x, %o) {}
    %r = Result-0(%a) {})",
          R"(
    %x = Parameter-0() {shape: [1,3,4,1], element_type: f32}
    %o = Constant-0() {value: i64[4] {3, 1, 4, 1}}
    %a = Reshape-1(%x, %o) {special_zero: false}
    %r = Result-0(%a) {})");
}

TEST(TransposeFusionsTest, AroundElementwise) {
  Becomes(R"(
    %x = Parameter-0() {shape: [?,3,2,4], element_type: f32}
    %y = Parameter-0() {shape: [?,3,2,4], element_type: f32}
    %c = Constant-0() {value: f32[3] {1, 2, 3}}
    %h = Constant-0() {value: f32[] {2}}
    %o = Constant-0() {value: i64[4] {0, 2, 3, 1}}
    %p = Constant-0() {value: i64[4] {0, 3, 1, 2}}
    %a = Transpose-1(%x, %o) {}
    %b = Transpose-1(%y, %o) {}
    %d = Multiply-1(%a, %c) {}
    %e = Relu-0(%d) {}
    %f = Subtract-1(%h, %e) {}
    %g = Add-1(%f, %b) {}
    %i = Transpose-1(%g, %p) {}
    %r = Result-0(%i) {})",
          R"(
    %x = Parameter-0() {shape: [?,3,2,4], element_type: f32}
    %y = Parameter-0() {shape: [?,3,2,4], element_type: f32}
    %c = Constant-0() {value: f32[1,3,1,1] {1, 2, 3}}
    %h = Constant-0() {value: f32[] {2}}
    %d = Multiply-1(%x, %c) {}
    %e = Relu-0(%d) {}
    %f = Subtract-1(%h, %e) {}
    %g = Add-1(%f, %y) {}
    %r = Result-0(%g) {})");
}

TEST(TransposeFusionsTest, WhatIsReadBetweenStays) {
  Stays(R"(
    %x = Parameter-0() {shape: [2,3,4], element_type: f32}
    %o = Constant-0() {value: i64[3] {0, 2, 1}}
    %a = Transpose-1(%x, %o) {}
    %b = Relu-0(%a) {}
    %c = Transpose-1(%b, %o) {}
    %q = Result-0(%b) {}
    %r = Result-0(%c) {})");
}

TEST(TransposeFusionsTest, UnknownRankStays) {
  Stays(R"(
    %x = Parameter-0() {shape: [...], element_type: f32}
    %o = Constant-0() {value: i64[2] {1, 0}}
    %a = Transpose-1(%x, %o) {}
    %b = Relu-0(%a) {}
    %r = Result-0(%b) {})");
}

TEST(ReshapeFusionsTest, InARow) {
  Becomes(R"(
    %x = Parameter-0() {shape: [?,6], element_type: f32}
    %s = Constant-0() {value: i64[3] {0, 2, 3}}
    %u = Constant-0() {value: i64[1] {1}}
    %a = Reshape-1(%x, %s) {special_zero: true}
    %b = Unsqueeze-0(%a, %u) {}
    %r = Result-0(%b) {})",
          R"(
    %x = Parameter-0() {shape: [?,6], element_type: f32}
    %s = Constant-0() {value: i64[4] {-1, 1, 2, 3}}
    %b = Reshape-1(%x, %s) {special_zero: false}
    %r = Result-0(%b) {})");
  Becomes(R"(
    %x = Parameter-0() {shape: [2,3], element_type: f32}
    %u = Constant-0() {value: i64[1] {1}}
    %n = Relu-0(%x) {}
    %a = Unsqueeze-0(%n, %u) {}
    %b = Squeeze-15(%a, %u) {allow_axis_skip: false}
    %r = Result-0(%b) {})",
          R"(
    %x = Parameter-0() {shape: [2,3], element_type: f32}
    %n = Relu-0(%x) {}
    %r = Result-0(%n) {})");
}

TEST(ReshapeFusionsTest, TwoUnknownExtentsStay) {
  Stays(R"(
    %x = Parameter-0() {shape: [?,?], element_type: f32}
    %u = Constant-0() {value: i64[1] {1}}
    %a = Unsqueeze-0(%x, %u) {}
    %b = Unsqueeze-0(%a, %u) {}
    %r = Result-0(%b) {})");
}

TEST(ReshapeFusionsTest, AroundMatMul) {
  Becomes(R"(
    %x = Parameter-0() {shape: [2,3,4], element_type: f32}
    %s = Constant-0() {value: i64[2] {-1, 4}}
    %t = Constant-0() {value: i64[3] {2, 3, 2}}
    %w = Constant-0() {value: f32[4,2] {1, 2, 3, 4, 5, 6, 7, 8}}
    %b = Constant-0() {value: f32[1,2] {1, 2}}
    %n = Relu-0(%x) {}
    %a = Reshape-1(%n, %s) {special_zero: false}
    %m = MatMul-0(%a, %w) {transpose_a: false, transpose_b: false}
    %c = Add-1(%b, %m) {}
    %g = Gelu-7(%c) {approximation_mode: erf}
    %d = Reshape-1(%g, %t) {special_zero: false}
    %r = Result-0(%d) {})",
          R"(
    %x = Parameter-0() {shape: [2,3,4], element_type: f32}
    %w = Constant-0() {value: f32[4,2] {1, 2, 3, 4, 5, 6, 7, 8}}
    %b = Constant-0() {value: f32[1,1,2] {1, 2}}
    %n = Relu-0(%x) {}
    %m = MatMul-0(%n, %w) {transpose_a: false, transpose_b: false}
    %c = Add-1(%b, %m) {}
    %g = Gelu-7(%c) {approximation_mode: erf}
    %r = Result-0(%g) {})");
}

TEST(ReshapeFusionsTest, AroundAMask) {
  Becomes(R"(
    %x = Parameter-0() {shape: [2,3,2], element_type: f32}
    %s = Constant-0() {value: i64[4] {1, 2, 3, 2}}
    %t = Constant-0() {value: i64[3] {-1, 3, 2}}
    %m = Constant-0() {value: f32[1,2,1,2] {1, 2, 3, 4}}
    %a = Reshape-1(%x, %s) {special_zero: false}
    %b = Add-1(%a, %m) {}
    %c = Reshape-1(%b, %t) {special_zero: false}
    %r = Result-0(%c) {})",
          R"(
    %x = Parameter-0() {shape: [2,3,2], element_type: f32}
    %m = Constant-0() {value: f32[2,1,2] {1, 2, 3, 4}}
    %b = Add-1(%x, %m) {}
    %r = Result-0(%b) {})");
}

TEST(ReshapeFusionsTest, AroundNormalizationOfWholeAxes) {
  Becomes(R"(
    %x = Parameter-0() {shape: [1,2,3,2], element_type: f32}
    %s = Constant-0() {value: i64[3] {1, 2, 6}}
    %t = Constant-0() {value: i64[4] {1, 2, 3, 2}}
    %a = Constant-0() {value: i64[1] {-1}}
    %g = Constant-0() {value: f32[1,2,1] {1, 2}}
    %l = Constant-0() {value: f32[1,1,1] {-1}}
    %h = Constant-0() {value: f32[1,1,1] {1}}
    %n = Relu-0(%x) {}
    %b = Reshape-1(%n, %s) {special_zero: false}
    %m = MVN-6(%b, %a) {eps: 0.001, eps_mode: inside_sqrt, normalize_variance: true}
    %c = Multiply-1(%m, %g) {}
    %q = FakeQuantize-0(%c, %l, %h, %l, %h) {levels: 16}
    %d = Reshape-1(%q, %t) {special_zero: false}
    %r = Result-0(%d) {})",
          R"(
    %x = Parameter-0() {shape: [1,2,3,2], element_type: f32}
    %a = Constant-0() {value: i64[2] {2, 3}}
    %g = Constant-0() {value: f32[1,2,1,1] {1, 2}}
    %l = Constant-0() {value: f32[1,1,1] {-1}}
    %h = Constant-0() {value: f32[1,1,1] {1}}
    %n = Relu-0(%x) {}
    %m = MVN-6(%n, %a) {eps: 0.001, eps_mode: inside_sqrt, normalize_variance: true}
    %c = Multiply-1(%m, %g) {}
    %q = FakeQuantize-0(%c, %l, %h, %l, %h) {levels: 16}
    %r = Result-0(%q) {})");
}

TEST(ReshapeFusionsTest, NormalizationOfAPartOfAxesStays) {
  Stays(R"(
    %x = Parameter-0() {shape: [2,6], element_type: f32}
    %s = Constant-0() {value: i64[3] {2, 2, 3}}
    %t = Constant-0() {value: i64[2] {2, 6}}
    %a = Constant-0() {value: i64[1] {2}}
    %b = Reshape-1(%x, %s) {special_zero: false}
    %m = MVN-6(%b, %a) {eps: 0.001, eps_mode: inside_sqrt, normalize_variance: true}
    %d = Reshape-1(%m, %t) {special_zero: false}
    %r = Result-0(%d) {})");
}

TEST(ReshapeFusionsTest, ConstantsThatDoNotFitStay) {
  Stays(R"(
    %x = Parameter-0() {shape: [6,2], element_type: f32}
    %s = Constant-0() {value: i64[3] {2, 3, 2}}
    %t = Constant-0() {value: i64[2] {6, 2}}
    %m = Constant-0() {value: f32[3,1] {1, 2, 3}}
    %a = Reshape-1(%x, %s) {special_zero: false}
    %b = Add-1(%a, %m) {}
    %c = Reshape-1(%b, %t) {special_zero: false}
    %r = Result-0(%c) {})");
}

TEST(BlockFusionsTest, ShuffleChannels) {
  Becomes(R"(
    %x = Parameter-0() {shape: [2,6,2,3], element_type: f32}
    %s = Constant-0() {value: i64[5] {0, 2, 3, 2, 3}}
    %o = Constant-0() {value: i64[5] {0, 2, 1, 3, 4}}
    %t = Constant-0() {value: i64[4] {2, -1, 2, 3}}
    %a = Reshape-1(%x, %s) {special_zero: true}
    %b = Transpose-1(%a, %o) {}
    %c = Reshape-1(%b, %t) {special_zero: false}
    %r = Result-0(%c) {})",
          R"(
    %x = Parameter-0() {shape: [2,6,2,3], element_type: f32}
    %c = ShuffleChannels-0(%x) {axis: 1, group: 2}
    %r = Result-0(%c) {})");
}

void BecomesBlocks(const std::string& from, const std::string& parts,
                   const std::string& order, const std::string& to,
                   const std::string& op) {
  const std::string x =
      "%x = Parameter-0() {shape: [" + from + "], element_type: f32}\n";
  Becomes(x + "%s = Constant-0() {value: i64[6] {" + parts + R"(}}
    %o = Constant-0() {value: i64[6] {)" +
              order + R"(}}
    %t = Constant-0() {value: i64[4] {)" +
              to + R"(}}
    %a = Reshape-1(%x, %s) {special_zero: false}
    %b = Transpose-1(%a, %o) {}
    %c = Reshape-1(%b, %t) {special_zero: false}
    %r = Result-0(%c) {})",
          x + "%c = " + op + "\n%r = Result-0(%c) {}");
}

TEST(BlockFusionsTest, DepthAndSpace) {
  BecomesBlocks("2,8,3,2", "2, 2, 2, 2, 3, 2", "0, 3, 4, 1, 5, 2", "2, 2, 6, 4",
                "DepthToSpace-0(%x) {block_size: 2, mode: blocks_first}");
  BecomesBlocks("2,8,3,2", "2, 2, 2, 2, 3, 2", "0, 1, 4, 2, 5, 3", "2, 2, 6, 4",
                "DepthToSpace-0(%x) {block_size: 2, mode: depth_first}");
  BecomesBlocks("2,3,4,6", "2, 3, 2, 2, 3, 2", "0, 3, 5, 1, 2, 4",
                "2, 12, 2, 3",
                "SpaceToDepth-0(%x) {block_size: 2, mode: blocks_first}");
  BecomesBlocks("2,3,4,6", "2, 3, 2, 2, 3, 2", "0, 1, 3, 5, 2, 4",
                "2, 12, 2, 3",
                "SpaceToDepth-0(%x) {block_size: 2, mode: depth_first}");
}

TEST(BroadcastFusionsTest, BeforeArithmetic) {
  Becomes(R"(
    %x = Parameter-0() {shape: [1,3], element_type: f32}
    %y = Parameter-0() {shape: [2,3], element_type: f32}
    %s = Constant-0() {value: i64[2] {2, 3}}
    %t = Constant-0() {value: i64[2] {2, 1}}
    %a = Broadcast-3(%x, %s) {mode: numpy}
    %b = Tile-0(%x, %t) {}
    %c = Add-1(%a, %y) {}
    %d = Multiply-1(%c, %b) {}
    %r = Result-0(%d) {})",
          R"(
    %x = Parameter-0() {shape: [1,3], element_type: f32}
    %y = Parameter-0() {shape: [2,3], element_type: f32}
    %c = Add-1(%x, %y) {}
    %d = Multiply-1(%c, %x) {}
    %r = Result-0(%d) {})");
  // Here the shape comes from there.
  Stays(R"(
    %x = Parameter-0() {shape: [1,3], element_type: f32}
    %y = Parameter-0() {shape: [1,3], element_type: f32}
    %s = Constant-0() {value: i64[2] {2, 3}}
    %a = Broadcast-3(%x, %s) {mode: numpy}
    %c = Add-1(%a, %y) {}
    %r = Result-0(%c) {})");
}

TEST(PartFusionsTest, SplitAndConcat) {
  Becomes(R"(
    %x = Parameter-0() {shape: [2,4], element_type: f32}
    %a = Constant-0() {value: i64[] {1}}
    %n = Relu-0(%x) {}
    %s = Split-1(%n, %a) {num_splits: 2} : f32[2,2], f32[2,2]
    %c = Concat-0(%s, %s:1) {axis: -1}
    %r = Result-0(%c) {})",
          R"(
    %x = Parameter-0() {shape: [2,4], element_type: f32}
    %n = Relu-0(%x) {}
    %r = Result-0(%n) {})");
  Stays(R"(
    %x = Parameter-0() {shape: [2,4], element_type: f32}
    %a = Constant-0() {value: i64[] {1}}
    %s = Split-1(%x, %a) {num_splits: 2} : f32[2,2], f32[2,2]
    %c = Concat-0(%s:1, %s) {axis: -1}
    %r = Result-0(%c) {})");
}

// A picture, red first, for a network that wants blue first.
TEST(ChannelOrderFusionsTest, WeightsTakeChannelsAsTheyAre) {
  FusionPass pass("test", {&ChannelOrderFusions});
  RunAndCompare(pass, R"(
    %x = Parameter-0() {shape: [1,?,4,3], element_type: u8}
    %i = Constant-0() {value: i64[3] {2, 0, 1}}
    %a = Constant-0() {value: i64[] {-1}}
    %m = Constant-0() {value: f32[3] {10, 20, 30}}
    %s = Constant-0() {value: f32[1,3,1,1] {2, 4, 8}}
    %p = Constant-0() {value: i64[4] {0, 3, 1, 2}}
    %w = Constant-0() {value: f32[1,3,1,1] {1, 2, 3}}
    %g = Gather-8(%x, %i, %a) {batch_dims: 0}
    %f = Convert-0(%g) {destination_type: f32}
    %d = Subtract-1(%f, %m) {}
    %t = Transpose-1(%d, %p) {}
    %q = Divide-1(%t, %s) {}
    %c = Convolution-1(%q, %w) {strides: [1,1], dilations: [1,1], pads_begin: [1,1], pads_end: [1,1], auto_pad: explicit}
    %r = Result-0(%c) {})",
                R"(
    %x = Parameter-0() {shape: [1,?,4,3], element_type: u8}
    %i = Constant-0() {value: i64[3] {1, 2, 0}}
    %m = Constant-0() {value: f32[3] {10, 20, 30}}
    %ma = Constant-0() {value: i64[] {0}}
    %s = Constant-0() {value: f32[1,3,1,1] {2, 4, 8}}
    %sa = Constant-0() {value: i64[] {1}}
    %p = Constant-0() {value: i64[4] {0, 3, 1, 2}}
    %w = Constant-0() {value: f32[1,3,1,1] {1, 2, 3}}
    %f = Convert-0(%x) {destination_type: f32}
    %n = Gather-8(%m, %i, %ma) {batch_dims: 0}
    %d = Subtract-1(%f, %n) {}
    %t = Transpose-1(%d, %p) {}
    %j = Constant-0() {value: i64[3] {1, 2, 0}}
    %o = Gather-8(%s, %j, %sa) {batch_dims: 0}
    %q = Divide-1(%t, %o) {}
    %k = Constant-0() {value: i64[3] {1, 2, 0}}
    %wa = Constant-0() {value: i64[] {1}}
    %v = Gather-8(%w, %k, %wa) {batch_dims: 0}
    %c = Convolution-1(%q, %v) {strides: [1,1], dilations: [1,1], pads_begin: [1,1], pads_end: [1,1], auto_pad: explicit}
    %r = Result-0(%c) {})",
                {.tolerance = 1e-5, .remove_unused = true});
}

// What takes some channels twice, works along others, or is read by others.
TEST(ChannelOrderFusionsTest, OtherGathersStay) {
  FusionPass pass("test", {&ChannelOrderFusions});
  for (const char* const gather :
       {"%i = Constant-0() {value: i64[3] {2, 0, 0}}\n"
        "%a = Constant-0() {value: i64[] {1}}",
        "%i = Constant-0() {value: i64[3] {2, 0, 1}}\n"
        "%a = Constant-0() {value: i64[] {2}}"}) {
    const std::string text = std::string(R"(
      %x = Parameter-0() {shape: [1,3,3,3], element_type: f32}
      %w = Constant-0() {value: f32[1,3,1,1] {1, 2, 3}}
      )") + gather + R"(
      %g = Gather-8(%x, %i, %a) {batch_dims: 0}
      %c = Convolution-1(%g, %w) {strides: [1,1], dilations: [1,1], pads_begin: [0,0], pads_end: [0,0], auto_pad: explicit}
      %r = Result-0(%c) {})";
    RunAndExpectNoChange(pass, text);
  }
  RunAndExpectNoChange(pass, R"(
    %x = Parameter-0() {shape: [1,3,3,3], element_type: f32}
    %w = Constant-0() {value: f32[1,3,1,1] {1, 2, 3}}
    %i = Constant-0() {value: i64[3] {2, 0, 1}}
    %a = Constant-0() {value: i64[] {1}}
    %g = Gather-8(%x, %i, %a) {batch_dims: 0}
    %c = Convolution-1(%g, %w) {strides: [1,1], dilations: [1,1], pads_begin: [0,0], pads_end: [0,0], auto_pad: explicit}
    %r = Result-0(%c) {}
    %s = Result-0(%g) {})");
  // One channel of each picture, another one for each.
  RunAndExpectNoChange(pass, R"(
    %x = Parameter-0() {shape: [3,3,3,4,5], element_type: f32}
    %w = Constant-0() {value: f32[1,3,1,1] {1, 2, 3}}
    %i = Constant-0() {value: i64[3] {2, 0, 1}}
    %a = Constant-0() {value: i64[] {1}}
    %g = Gather-8(%x, %i, %a) {batch_dims: 1}
    %c = Convolution-1(%g, %w) {strides: [1,1], dilations: [1,1], pads_begin: [0,0], pads_end: [0,0], auto_pad: explicit}
    %r = Result-0(%c) {})");
}

TEST(SliceAssignmentsTest, ScatterAtASliceOfTheNumbers) {
  FusionPass pass("test", {&SliceAssignments});
  RunAndCompare(pass, R"(
    %x = Parameter-0() {shape: [1,5,7], element_type: f32}
    %u = Parameter-0() {shape: [1,4,3], element_type: f32}
    %f = Constant-0() {value: i64[1] {35}}
    %d = Reshape-1(%x, %f) {special_zero: false}
    %zero = Constant-0() {value: i64[] {0}}
    %end = Constant-0() {value: i64[] {35}}
    %one = Constant-0() {value: i64[] {1}}
    %n = Range-4(%zero, %end, %one) {output_type: i64}
    %w = Constant-0() {value: i64[3] {1, 5, 7}}
    %m = Reshape-1(%n, %w) {special_zero: false}
    %b = Constant-0() {value: i64[2] {1, -3}}
    %e = Constant-0() {value: i64[2] {9, 9}}
    %t = Constant-0() {value: i64[2] {1, 1}}
    %a = Constant-0() {value: i64[2] {1, 2}}
    %s = Slice-8(%m, %b, %e, %t, %a) {}
    %c = Constant-0() {value: i64[2] {12, 1}}
    %i = Reshape-1(%s, %c) {special_zero: false}
    %g = Constant-0() {value: i64[1] {12}}
    %v = Reshape-1(%u, %g) {special_zero: false}
    %y = ScatterNDUpdate-3(%d, %i, %v) {}
    %r = Result-0(%y) {})",
                R"(
    %x = Parameter-0() {shape: [1,5,7], element_type: f32}
    %u = Parameter-0() {shape: [1,4,3], element_type: f32}
    %f = Constant-0() {value: i64[1] {35}}
    %d = Reshape-1(%x, %f) {special_zero: false}
    %w = Constant-0() {value: i64[3] {1, 5, 7}}
    %m = Reshape-1(%d, %w) {special_zero: false}
    %g = Constant-0() {value: i64[1] {12}}
    %v = Reshape-1(%u, %g) {special_zero: false}
    %p = Constant-0() {value: i64[3] {1, 4, 3}}
    %q = Reshape-1(%v, %p) {special_zero: false}
    %b = Constant-0() {value: i64[2] {1, -3}}
    %e = Constant-0() {value: i64[2] {9, 9}}
    %t = Constant-0() {value: i64[2] {1, 1}}
    %a = Constant-0() {value: i64[2] {1, 2}}
    %s = SliceScatter-15(%m, %q, %b, %e, %t, %a) {}
    %k = Constant-0() {value: i64[1] {35}}
    %y = Reshape-1(%s, %k) {special_zero: false}
    %r = Result-0(%y) {})");
}

// Numbers that begin elsewhere, and updates that are added.
TEST(SliceAssignmentsTest, NotElsewhere) {
  FusionPass pass("test", {&SliceAssignments});
  for (const auto& [first, scatter] :
       {std::pair("1", "ScatterNDUpdate-3(%x, %i, %u) {}"),
        std::pair("0", "ScatterNDUpdate-15(%x, %i, %u) {reduction: sum}")}) {
    RunAndExpectNoChange(pass, absl::StrCat(R"(
    %x = Parameter-0() {shape: [9], element_type: f32}
    %u = Parameter-0() {shape: [3], element_type: f32}
    %first = Constant-0() {value: i64[] {)",
                                            first, R"(}}
    %end = Constant-0() {value: i64[] {9}}
    %one = Constant-0() {value: i64[] {1}}
    %n = Range-4(%first, %end, %one) {output_type: i64}
    %b = Constant-0() {value: i64[1] {2}}
    %e = Constant-0() {value: i64[1] {5}}
    %t = Constant-0() {value: i64[1] {1}}
    %s = Slice-8(%n, %b, %e, %t) {}
    %c = Constant-0() {value: i64[2] {3, 1}}
    %i = Reshape-1(%s, %c) {special_zero: false}
    %y = )",
                                            scatter, R"(
    %r = Result-0(%y) {})"));
  }
}

TEST(ActivationMovementsTest, BeforeWhatMovesSums) {
  FusionPass pass("test", {&ActivationMovements});
  RunAndCompare(pass, R"(
    %x = Parameter-0() {shape: [1,4,5,5], element_type: f32}
    %w = Constant-0() {value: f32[4,1,1,1,1] {1, 2, 3, -4}}
    %c = GroupConvolution-1(%x, %w) {strides: [1,1], pads_begin: [0,0], pads_end: [0,0], dilations: [1,1]}
    %b = Constant-0() {value: f32[1,4,1,1] {1, 2, 3, 4}}
    %s = Add-1(%c, %b) {}
    %t = Constant-0() {value: i64[3] {1, 4, 25}}
    %v = Reshape-1(%s, %t) {special_zero: false}
    %o = Constant-0() {value: i64[3] {0, 2, 1}}
    %m = Transpose-1(%v, %o) {}
    %g = Gelu-7(%m) {approximation_mode: ERF}
    %r = Result-0(%g) {})",
                R"(
    %x = Parameter-0() {shape: [1,4,5,5], element_type: f32}
    %w = Constant-0() {value: f32[4,1,1,1,1] {1, 2, 3, -4}}
    %c = GroupConvolution-1(%x, %w) {strides: [1,1], pads_begin: [0,0], pads_end: [0,0], dilations: [1,1]}
    %b = Constant-0() {value: f32[1,4,1,1] {1, 2, 3, 4}}
    %s = Add-1(%c, %b) {}
    %g = Gelu-7(%s) {approximation_mode: ERF}
    %t = Constant-0() {value: i64[3] {1, 4, 25}}
    %v = Reshape-1(%g, %t) {special_zero: false}
    %o = Constant-0() {value: i64[3] {0, 2, 1}}
    %m = Transpose-1(%v, %o) {}
    %r = Result-0(%m) {})",
                {.tolerance = 1e-5});
}

TEST(ActivationMovementsTest, NotWhereTheSumsAreReadElsewhereToo) {
  FusionPass pass("test", {&ActivationMovements});
  RunAndExpectNoChange(pass, R"(
    %x = Parameter-0() {shape: [2,3], element_type: f32}
    %w = Constant-0() {value: f32[3,2] {1, 2, 3, -4, 5, 6}}
    %s = MatMul-0(%x, %w) {transpose_a: false, transpose_b: false}
    %o = Constant-0() {value: i64[2] {1, 0}}
    %m = Transpose-1(%s, %o) {}
    %g = Relu-0(%m) {}
    %a = Add-1(%g, %s) {}
    %r = Result-0(%a) {})");
  // Nor of what no linear operation computes.
  RunAndExpectNoChange(pass, R"(
    %x = Parameter-0() {shape: [2,3], element_type: f32}
    %o = Constant-0() {value: i64[2] {1, 0}}
    %m = Transpose-1(%x, %o) {}
    %g = Relu-0(%m) {}
    %r = Result-0(%g) {})");
}

}  // namespace
}  // namespace dovetail
