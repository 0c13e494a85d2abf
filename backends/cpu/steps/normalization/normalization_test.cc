#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "dovetail/backends/cpu/steps/normalization/l2_lrn.h"
#include "dovetail/backends/cpu/steps/normalization/softmax.h"
#include "dovetail/backends/cpu/steps/normalization/variance.h"
#include "dovetail/backends/cpu/testing/compare.h"
#include "gtest/gtest.h"

namespace dovetail::cpu {
namespace {

constexpr double kTolerance = 2e-5;

std::string Parameter(const std::string& id, const std::string& shape,
                      const std::string& name = "") {
  return absl::StrCat(id, " = Parameter-0() {shape: [", shape,
                      "], element_type: f32}",
                      name.empty() ? "" : "  # " + name, "\n");
}

std::string List(const std::string& id, int count, const std::string& numbers) {
  return absl::StrCat(id, " = Constant-0() {value: i64[", count, "] {", numbers,
                      "}}\n");
}

// The result of a convolution, in the layout that this likes.
std::string Convolved(const std::string& id, int channels) {
  return Parameter(id + "in", "2,16,6,8") +
         Parameter(id + "w", absl::StrCat(channels, ",16,1,1"), "constant w") +
         id + " = Convolution-1(" + id + "in, " + id +
         "w) {strides: [1,1], dilations: [1,1], pads_begin: [0,0], "
         "pads_end: [0,0], auto_pad: explicit}\n"
         "%also = Result-0(" +
         id + ") {}\n";
}

constexpr char kResult[] = "%r = Result-0(%y) {}\n";

void ExpectKernel(const std::string& model, const std::string& type,
                  const std::string& kernel) {
  const Compared compared = Compare(model + kResult);
  EXPECT_LT(compared.error, kTolerance) << compared.message << model;
  EXPECT_EQ(compared.KernelOf(type), kernel) << model << compared.steps;
}

TEST(SoftmaxTest, AnyAxisAndLayout) {
  for (const std::string type : {"Softmax-8", "LogSoftmax-5"}) {
    const std::string name = type.substr(0, type.find('-'));
    for (const std::string axis : {"0", "1", "-2", "3"}) {
      ExpectKernel(Parameter("%x", "2,3,5,7") + "%y = " + type +
                       "(%x) {axis: " + axis + "}\n",
                   name, "softmax");
      for (const int channels : {24, 5}) {
        ExpectKernel(Convolved("%x", channels) + "%y = " + type +
                         "(%x) {axis: " + axis + "}\n",
                     name, "softmax");
      }
    }
  }
}

TEST(SoftmaxTest, Pairs) {
  for (const std::string shape : {"2", "1,5000,2", "3,7,2"}) {
    ExpectKernel(Parameter("%x", shape) + "%y = Softmax-8(%x) {axis: -1}\n",
                 "Softmax", "softmax");
  }
}

TEST(MvnTest, TrailingAxes) {
  for (const std::string mode : {"inside_sqrt", "outside_sqrt"}) {
    for (const std::string axes : {"2, 3", "3, -3, 2"}) {
      const int count = axes.size() > 4 ? 3 : 2;
      ExpectKernel(Parameter("%x", "2,3,5,7") + List("%axes", count, axes) +
                       "%y = MVN-6(%x, %axes) {eps: 1e-3, "
                       "normalize_variance: true, eps_mode: " +
                       mode + "}\n",
                   "MVN", "layer_norm");
    }
  }
}

// Whatever is said of axes of one element.
TEST(MvnTest, UnitAxes) {
  for (const std::string axes : {"1", "1, 2", "0, 1, 3"}) {
    const int count = (static_cast<int>(axes.size()) + 2) / 3;
    ExpectKernel(Parameter("%x", "1,8,1,1") + List("%axes", count, axes) +
                     "%y = MVN-6(%x, %axes) {eps: 1e-3, "
                     "normalize_variance: true, eps_mode: inside_sqrt}\n",
                 "MVN", "layer_norm");
  }
}

TEST(MvnTest, WithScaleAndShiftItIsOneStep) {
  const Compared compared =
      Compare(Parameter("%x", "2,9,33") + List("%axes", 1, "-1") +
              Parameter("%g", "1,33", "constant g") +
              Parameter("%b", "33", "constant b") +
              "%m = MVN-6(%x, %axes) {eps: 1e-5, normalize_variance: true, "
              "eps_mode: inside_sqrt}\n"
              "%s = Multiply-1(%m, %g) {}\n"
              "%y = Add-1(%s, %b) {}\n" +
              kResult);
  EXPECT_LT(compared.error, kTolerance) << compared.message;
  EXPECT_EQ(compared.steps, "MVN+2");
}

TEST(MvnTest, WithScaleAndShiftOfChannelsItIsOneStep) {
  for (const int channels : {32, 5}) {
    const std::string c = std::to_string(channels);
    const Compared compared =
        Compare(Convolved("%x", channels) + List("%axes", 2, "2, 3") +
                Parameter("%g", "1," + c + ",1,1", "constant g") +
                Parameter("%b", c + ",1,1", "constant b") +
                "%m = MVN-6(%x, %axes) {eps: 1e-5, normalize_variance: true, "
                "eps_mode: inside_sqrt}\n"
                "%s = Multiply-1(%m, %g) {}\n"
                "%y = Add-1(%s, %b) {}\n" +
                kResult);
    EXPECT_LT(compared.error, kTolerance) << compared.message;
    // In blocks, or one channel behind the other where oneDNN prefers that.
    EXPECT_EQ(compared.steps, "Convolution, MVN+2");
  }
}

// What follows in quantized networks: rounding to floats, a scale and a shift,
// a slope or limits, and bytes.
TEST(MvnTest, WhatFollowsIsComputedWithIt) {
  const std::string normalized =
      Convolved("%x", 32) + List("%axes", 2, "2, 3") +
      "%m = MVN-6(%x, %axes) {eps: 1e-5, normalize_variance: true, "
      "eps_mode: inside_sqrt}\n"
      "%l = Constant-0() {value: f32[] {-2}}\n"
      "%h = Constant-0() {value: f32[] {2}}\n"
      "%z = Constant-0() {value: f32[] {0}}\n"
      "%c = Constant-0() {value: f32[] {255}}\n" +
      Parameter("%g", "1,32,1,1", "constant g") +
      Parameter("%b", "32,1,1", "constant b");
  const std::string grid =
      "%q = FakeQuantize-0(%m, %l, %h, %l, %h) "
      "{levels: 33}\n";
  const std::string affine =
      "%s = Multiply-1(%DATA, %g) {}\n"
      "%t = Add-1(%s, %b) {}\n";
  const std::string bytes =
      "%u = FakeQuantize-0(%v, %l, %h, %z, %c) {levels: 256}\n"
      "%y = Convert-0(%u) {destination_type: u8}\n";
  const auto on = [&](const std::string& data) {
    return absl::StrReplaceAll(affine, {{"%DATA", data}});
  };
  const std::string relu = "%v = Relu-0(%t) {}\n";
  const std::string slope =
      Parameter("%p", "32", "constant p") + "%v = PRelu-0(%t, %p) {}\n";
  const std::string models[] = {
      on("%m") + relu + bytes,
      on("%m") + slope + bytes,
      grid + on("%q") + slope + bytes,
      grid + on("%q") + "%y = Relu-0(%t) {}\n",
      on("%m") + "%y = Clamp-0(%t) {min: -0.5, max: 0.25}\n",
  };
  for (const std::string& model : models) {
    const Compared compared = Compare(normalized + model + kResult);
    // A byte, or a step of the grid, next to a tie.
    EXPECT_LT(compared.error, 0.07) << compared.message << model;
  }
}

TEST(GroupNormTest, Groups) {
  for (const int groups : {1, 4, 12}) {
    ExpectKernel(Parameter("%x", "2,12,5,7") +
                     Parameter("%g", "12", "constant g") +
                     Parameter("%b", "12", "constant b") +
                     absl::StrCat("%y = GroupNormalization-12(%x, %g, %b) "
                                  "{num_groups: ",
                                  groups, ", epsilon: 1e-4}\n"),
                 "GroupNormalization", "group_norm");
  }
}

// Channels last, or in blocks: groups of whole channels, with an activation
// behind them, in f32 and stored as bf16.
TEST(GroupNormTest, BetweenConvolutions) {
  const MachineModel machine = {.f32_8 = 40, .f32_16 = 80, .bf16 = 160};
  CompareOptions narrow;
  narrow.settings.compute_type = ElementType::kBf16;
  narrow.settings.machine = &machine;
  for (const int groups : {1, 2, 5, 40}) {
    for (const std::string then : {"Relu", "Swish"}) {
      const std::string model = absl::StrCat(
          Convolved("%x", 40), Parameter("%g", "40", "constant g"),
          Parameter("%b", "40", "constant b"),
          "%n = GroupNormalization-12(%x, %g, %b) {num_groups: ", groups,
          ", epsilon: 1e-4}\n%a = ", then, "-", then == "Relu" ? 0 : 4,
          "(%n) {}\n", Parameter("%w", "8,40,1,1", "constant w"),
          "%y = Convolution-1(%a, %w) {strides: [1,1], dilations: [1,1], "
          "pads_begin: [0,0], pads_end: [0,0], auto_pad: explicit}\n",
          kResult);
      const Compared compared = Compare(model);
      EXPECT_LT(compared.error, kTolerance) << compared.message << model;
      EXPECT_EQ(compared.KernelOf("GroupNormalization"), "group_norm");
      EXPECT_LT(Compare(model, narrow).error, 2e-2) << model;
    }
  }
}

TEST(RmsNormTest, IsOneStep) {
  const std::string root =
      "%two = Constant-0() {value: f32[] {2}}\n"
      "%eps = Constant-0() {value: f32[] {1e-5}}\n" +
      List("%axes", 1, "-1") +
      "%p = Power-1(%x, %two) {}\n"
      "%m = ReduceMean-1(%p, %axes) {keep_dims: true}\n"
      "%e = Add-1(%m, %eps) {}\n"
      "%q = Sqrt-0(%e) {}\n"
      "%d = Divide-1(%x, %q) {}\n";
  const Compared compared = Compare(Parameter("%x", "2,9,33") + root +
                                    Parameter("%g", "33", "constant g") +
                                    "%y = Multiply-1(%d, %g) {}\n" + kResult);
  EXPECT_LT(compared.error, kTolerance) << compared.message;
  EXPECT_EQ(compared.steps, "Power+5");
}

TEST(RmsNormTest, OtherSquaresAreElementwise) {
  const Compared compared = Compare(Parameter("%x", "2,9,33") +
                                    "%y = Multiply-1(%x, %x) {}\n" + kResult);
  EXPECT_LT(compared.error, kTolerance) << compared.message;
  EXPECT_EQ(compared.KernelOf("Multiply"), "fused_elementwise");
}

TEST(NormalizeL2Test, Axes) {
  for (const std::string axes : {"1", "3", "2, 3", "1, 2, 3"}) {
    const int count = (static_cast<int>(axes.size()) + 2) / 3;
    for (const std::string mode : {"add", "max"}) {
      ExpectKernel(Parameter("%x", "2,3,5,7") + List("%axes", count, axes) +
                       "%y = NormalizeL2-0(%x, %axes) {eps: 1e-3, eps_mode: " +
                       mode + "}\n",
                   "NormalizeL2", "normalize_l2");
    }
  }
}

TEST(LrnTest, AcrossChannels) {
  ExpectKernel(Parameter("%x", "2,9,5,7") + List("%axes", 1, "1") +
                   "%y = LRN-0(%x, %axes) {alpha: 0.01, beta: 0.75, bias: 2, "
                   "size: 5}\n",
               "LRN", "lrn");
}

TEST(LrnTest, OfNegativeNumbersIsLeftToTheReference) {
  const Compared compared =
      Compare(Parameter("%x", "2,9,5,7") + List("%axes", 1, "1") +
              "%y = LRN-0(%x, %axes) {alpha: 0.3, beta: -2, bias: -10, "
              "size: 3}\n" +
              kResult);
  EXPECT_LT(compared.error, 1e-5) << compared.message;
}

// {2, channels, 6, 8}, channels last.
std::string ChannelsLast(const std::string& id, int channels) {
  return Parameter(id + "in", absl::StrCat("2,6,8,", channels)) +
         List(id + "o", 4, "0, 3, 1, 2") + id + "e = Exp-0(" + id + "in) {}\n" +
         id + " = Transpose-1(" + id + "e, " + id + "o) {}\n";
}

TEST(JoinedChannelsTest, ScalesWhatConcatJoins) {
  const std::string joined =
      ChannelsLast("%a", 16) + ChannelsLast("%b", 7) +
      "%c = Concat-0(%a, %b) {axis: 1}\n" +
      Parameter("%s", "1,23,1,1", "constant s") +
      Parameter("%t", "23,1,1", "constant t") +
      "%m = Multiply-1(%c, %s) {auto_broadcast: numpy}\n";
  const std::string shifted =
      joined + "%n = Add-1(%m, %t) {auto_broadcast: numpy}\n";
  ExpectKernel(shifted + "%y = Relu-0(%n) {}\n", "Concat", "joined_channels");
  ExpectKernel(shifted + "%y = Clamp-0(%n) {min: -1, max: 2}\n", "Concat",
               "joined_channels");
  // Somebody else reads what is joined.
  ExpectKernel(joined + "%y = Add-1(%m, %c) {auto_broadcast: numpy}\n",
               "Concat", "copy");
}

}  // namespace
}  // namespace dovetail::cpu
