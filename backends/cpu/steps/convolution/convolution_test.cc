#include "dovetail/backends/cpu/steps/convolution/convolution.h"

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "dovetail/backends/cpu/isa/machine_model.h"
#include "dovetail/backends/cpu/kernels/common/wide_vectors.h"
#include "dovetail/backends/cpu/kernels/convolution/depthwise/depthwise_tiles.h"
#include "dovetail/backends/cpu/kernels/convolution/few_channels.h"
#include "dovetail/backends/cpu/kernels/convolution/transposed/pixel_tiles.h"
#include "dovetail/backends/cpu/kernels/convolution/winograd/winograd.h"
#include "dovetail/backends/cpu/kernels/integer/dot_products/dot_lanes.h"
#include "dovetail/backends/cpu/onednn/isa.h"
#include "dovetail/backends/cpu/testing/compare.h"
#include "gtest/gtest.h"

namespace dovetail::cpu {
namespace {

constexpr double kTolerance = 2e-5;
// Transformed sums are rounded more often.
constexpr double kWinogradTolerance = 3e-4;

struct Case {
  std::string data;     // "1,3,8,8"
  std::string weights;  // "4,3,3,3"
  std::string window;   // attributes, "strides: [1,1], …"
  std::string type = "Convolution";
};

std::string Window(int rank, int stride, int dilation, int begin, int end) {
  const auto list = [&](int number) {
    std::string text = absl::StrCat("[", number);
    for (int i = 1; i < rank; ++i) absl::StrAppend(&text, ",", number);
    return text + "]";
  };
  return absl::StrCat("strides: ", list(stride),
                      ", dilations: ", list(dilation),
                      ", pads_begin: ", list(begin), ", pads_end: ", list(end),
                      ", auto_pad: explicit");
}

std::string Parameter(const std::string& id, const std::string& shape,
                      const std::string& type = "f32",
                      const std::string& name = "") {
  return absl::StrCat(id, " = Parameter-0() {shape: [", shape,
                      "], element_type: ", type, "}",
                      name.empty() ? "" : "  # " + name, "\n");
}

// A model with the convolution %c and, after it, `rest`, which ends in %y.
std::string ModelOf(const Case& c, const std::string& rest = "",
                    bool constant = true) {
  return absl::StrCat(
      Parameter("%x", c.data),
      Parameter("%w", c.weights, "f32", constant ? "constant weights" : ""),
      "%c = ", c.type, "-1(%x, %w) {", c.window, "}  # conv\n", rest,
      "%r = Result-0(", rest.empty() ? "%c" : "%y", ") {}\n");
}

const std::vector<Case>& Forward() {
  static const auto& cases = *new std::vector<Case>{
      {"1,3,17,19", "8,3,3,3", Window(2, 2, 1, 1, 1)},
      {"2,16,9,10", "24,16,1,1", Window(2, 1, 1, 0, 0)},
      {"1,16,9,10", "20,16,1,1", Window(2, 2, 1, 0, 0)},
      {"1,20,12,11", "12,20,3,3", Window(2, 1, 1, 1, 1)},
      {"1,8,12,11", "16,8,3,3", Window(2, 1, 2, 2, 2)},
      {"1,8,12,11", "16,8,5,5", Window(2, 3, 1, 2, 1)},
      {"1,5,12,11", "3,5,3,3", Window(2, 1, 1, 0, 1)},
      {"1,1,12,11", "7,1,3,3", Window(2, 1, 1, 1, 1)},
      {"3,8,30", "16,8,3", Window(1, 1, 1, 1, 1)},
      {"1,3,30", "16,3,5", Window(1, 2, 1, 2, 2)},
      {"1,8,5,6,7", "16,8,3,3,3", Window(3, 1, 1, 1, 1)},
      {"1,3,5,6,7", "8,3,2,2,2", Window(3, 2, 1, 0, 0)},
      {"2,8,5,6,7", "16,8,3,1,1",
       "strides: [2,1,1], dilations: [1,1,1], pads_begin: [1,0,0], pads_end: "
       "[1,0,0], auto_pad: explicit"},
      {"2,8,5,6,7", "16,8,1,3,3",
       "strides: [1,2,2], dilations: [1,1,1], pads_begin: [0,1,1], pads_end: "
       "[0,1,1], auto_pad: explicit"},
      {"2,3,5,9,9", "8,3,1,3,3", Window(3, 1, 1, 0, 0)},
      {"1,16,9,9", "16,1,1,3,3", Window(2, 1, 1, 1, 1), "GroupConvolution"},
      {"1,12,9,9", "12,1,1,3,3", Window(2, 2, 1, 1, 1), "GroupConvolution"},
      {"1,16,9,9", "16,1,1,5,5", Window(2, 1, 2, 4, 4), "GroupConvolution"},
      {"1,16,9,9", "16,2,1,3,3", Window(2, 1, 1, 1, 1), "GroupConvolution"},
      {"1,32,9,9", "4,8,8,3,3", Window(2, 1, 1, 1, 1), "GroupConvolution"},
      {"1,12,9,9", "3,6,4,3,3", Window(2, 1, 1, 1, 1), "GroupConvolution"},
      {"1,16,9,9", "1,8,16,3,3", Window(2, 1, 1, 1, 1), "GroupConvolution"},
      {"1,8,30", "8,1,1,3", Window(1, 1, 1, 2, 0), "GroupConvolution"},
      {"1,8,12,11", "16,8,4,4",
       "strides: [2,2], dilations: [1,1], pads_begin: [0,0], pads_end: [0,0], "
       "auto_pad: same_upper"},
      {"1,8,12,11", "16,8,4,4",
       "strides: [2,3], dilations: [1,1], pads_begin: [0,0], pads_end: [0,0], "
       "auto_pad: same_lower"},
      {"1,8,12,11", "16,8,3,3",
       "strides: [2,2], dilations: [1,1], pads_begin: [5,5], pads_end: [5,5], "
       "auto_pad: valid"},
  };
  return cases;
}

const std::vector<Case>& Transposed() {
  const std::string one = "ConvolutionBackpropData";
  const std::string groups = "GroupConvolutionBackpropData";
  const auto padded = [](const std::string& window, const std::string& more) {
    return absl::StrCat(window, ", output_padding: ", more);
  };
  static const auto& cases = *new std::vector<Case>{
      {"1,8,7,6", "8,16,2,2", padded(Window(2, 2, 1, 0, 0), "[0,0]"), one},
      {"2,8,7,6", "8,16,3,3", padded(Window(2, 1, 1, 1, 1), "[0,0]"), one},
      {"1,8,7,6", "8,16,3,3", padded(Window(2, 2, 1, 1, 1), "[1,1]"), one},
      {"1,8,7,6", "8,12,4,4", padded(Window(2, 2, 1, 1, 1), "[0,0]"), one},
      {"1,3,7,6", "3,5,3,3", padded(Window(2, 2, 2, 0, 1), "[0,0]"), one},
      {"1,8,9", "8,4,3", padded(Window(1, 2, 1, 1, 0), "[0]"), one},
      {"1,4,3,4,5", "4,8,2,2,2", padded(Window(3, 2, 1, 0, 0), "[0,0,0]"), one},
      {"2,4,3,4,5", "4,8,3,1,1", padded(Window(3, 1, 1, 0, 0), "[0,0,0]"), one},
      {"2,4,3,4,5", "4,8,1,3,3", padded(Window(3, 1, 1, 0, 0), "[0,0,0]"), one},
      {"1,8,7,6", "8,1,1,4,4", padded(Window(2, 2, 1, 1, 1), "[0,0]"), groups},
      {"1,16,7,6", "2,8,4,3,3", padded(Window(2, 2, 1, 1, 1), "[0,0]"), groups},
  };
  return cases;
}

TEST(ConvolutionTest, AgreesWithTheReference) {
  for (const auto* cases : {&Forward(), &Transposed()}) {
    for (const Case& c : *cases) {
      const std::string model = ModelOf(c);
      const Compared compared = Compare(model);
      EXPECT_LT(compared.error, kTolerance) << model << compared.message;
      EXPECT_FALSE(absl::StartsWith(compared.KernelOf(c.type), "reference"))
          << model;
    }
  }
}

// On a machine that multiplies bf16 twice as fast as f32.
CompareOptions InBf16() {
  static const auto& machine =
      *new MachineModel{.f32_8 = 40, .f32_16 = 80, .bf16 = 160};
  CompareOptions options;
  options.settings.compute_type = ElementType::kBf16;
  options.settings.machine = &machine;
  return options;
}

// As a part of the greatest value: of 2^-9 for each factor, many products
// cancel most.
constexpr double kBf16Tolerance = 1e-2;

// oneDNN does not come to an end while it generates code of such windows, so
// this hangs when it is asked to.
TEST(ConvolutionTest, ComesToAnEndForLargeDepthwiseWindows) {
  for (const int channels : {2, 4, 16, 17, 32, 80}) {
    for (const auto& [rows, columns] :
         {std::pair(15, 15), std::pair(1, 14), std::pair(1, 31)}) {
      const std::string c = std::to_string(channels);
      const std::string model = ModelOf(
          {"1," + c + ",39,40", absl::StrCat(c, ",1,1,", rows, ",", columns),
           absl::StrCat("strides: [1,1], dilations: [1,1], pads_begin: [",
                        rows / 2, ",", columns / 2, "], pads_end: [", rows / 2,
                        ",", columns / 2, "], auto_pad: explicit"),
           "GroupConvolution"});
      for (const int threads : {1, 2}) {
        CompareOptions options = InBf16();
        options.settings.threads = threads;
        const Compared compared = Compare(model, options);
        EXPECT_LT(compared.error, kBf16Tolerance) << model << compared.message;
        EXPECT_FALSE(
            absl::StrContains(compared.KernelOf("GroupConvolution"), "ref"))
            << model << compared.KernelOf("GroupConvolution");
      }
    }
  }
}

TEST(ConvolutionTest, TransposedWindowsThatAreDilatedTakeNoPlainLoops) {
  const std::string type = "ConvolutionBackpropData";
  for (const int stride : {1, 2}) {
    const std::string window = Window(2, stride, 2, 3, 3);
    for (const ElementType compute : {ElementType::kF32, ElementType::kBf16}) {
      CompareOptions options;
      options.settings.compute_type = compute;
      const Compared compared = Compare(
          ModelOf({"1,8,20,20", "8,8,15,15",
                   absl::StrCat(window, ", output_padding: [0,0]"), type}),
          options);
      EXPECT_LT(compared.error, kBf16Tolerance) << compared.message;
      EXPECT_FALSE(absl::StrContains(compared.KernelOf(type), "ref"))
          << compared.KernelOf(type);
    }
  }
}

// Groups of one channel, of several that share a block of 8 with others or fill
// it; windows that do not meet all results, and that are larger than the data.
TEST(TransposedConvolutionTest, InGroups) {
  const std::string type = "GroupConvolutionBackpropData";
  const std::vector<std::pair<std::string, std::string>> shapes = {
      {"2,20,7,19", "20,1,1,4,4"},
      {"1,12,5,6", "4,3,5,3,3"},
      {"1,16,6,20", "2,8,8,2,2"},
      {"1,6,9", "3,2,2,5"}};
  for (const auto& [data, weights] : shapes) {
    const int axes = data == "1,6,9" ? 1 : 2;
    const std::string more = axes == 1 ? "[0]" : "[0,0]";
    for (const auto& [stride, dilation] :
         {std::pair(1, 1), std::pair(2, 1), std::pair(3, 2), std::pair(4, 2),
          std::pair(6, 1)}) {
      const Case c = {data, weights,
                      absl::StrCat(Window(axes, stride, dilation, 1, 0),
                                   ", output_padding: ", more),
                      type};
      for (const std::string rest : {"", "%y = Relu-0(%c) {}\n"}) {
        const std::string model = ModelOf(c, rest);
        const Compared compared = Compare(model);
        EXPECT_LT(compared.error, kTolerance) << model << compared.message;
        EXPECT_FALSE(absl::StrContains(compared.KernelOf(type), "ref"))
            << model << compared.KernelOf(type);
        const bool is_depthwise = weights == "20,1,1,4,4";
        if (!HasWideVectors() || is_depthwise) continue;
        EXPECT_EQ(compared.KernelOf(type), "transposed_f32") << model;
      }
    }
  }
}

TEST(ConvolutionTest, LeavesWindowsThatReachFar) {
  const std::string type = "ConvolutionBackpropData";
  const std::string window = Window(1, 1 << 16, 1, 1, 1);
  const Compared compared = Compare(ModelOf(
      {"1,3,5", "3,2,3", absl::StrCat(window, ", output_padding: [0]"), type}));
  EXPECT_LT(compared.error, kTolerance) << compared.message;
  EXPECT_TRUE(absl::StartsWith(compared.KernelOf(type), "reference"));
}

TEST(ConvolutionTest, TakesWeightsThatAreComputed) {
  for (const auto* cases : {&Forward(), &Transposed()}) {
    for (const Case& c : *cases) {
      const std::string model = ModelOf(c, "", /*constant=*/false);
      const Compared compared = Compare(model);
      EXPECT_LT(compared.error, kTolerance) << model << compared.message;
    }
  }
}

TEST(ConvolutionTest, DividesItsWorkByThreads) {
  CompareOptions options;
  options.settings.threads = 3;
  for (const Case& c : Forward()) {
    const std::string model = ModelOf(c);
    const Compared compared = Compare(model, options);
    EXPECT_LT(compared.error, kTolerance) << model << compared.message;
  }
}

// ---- What follows ----

const char* const kAttributes = "{auto_broadcast: numpy}";

std::string Bias(const std::string& shape) {
  return absl::StrCat(Parameter("%b", shape, "f32", "constant bias"),
                      "%a = Add-1(%c, %b) ", kAttributes, "\n");
}

TEST(ConvolutionTest, TakesInABiasAndAnActivation) {
  for (const Case& c : Forward()) {
    std::string rest = Bias("1");
    absl::StrAppend(&rest, "%y = Relu-0(%a) {}\n");
    const std::string model = ModelOf(c, rest);
    const Compared compared = Compare(model);
    EXPECT_LT(compared.error, kTolerance) << model << compared.message;
    EXPECT_EQ(compared.steps, c.type + "+2") << model;
  }
}

TEST(ConvolutionTest, TakesInActivations) {
  const Case dense = {"1,16,9,10", "20,16,3,3", Window(2, 2, 1, 1, 1)};
  const Case small = {"1,16,9,10", "24,16,1,1", Window(2, 1, 1, 0, 0)};
  const Case depthwise = {"1,20,9,10", "20,1,1,3,3", Window(2, 1, 1, 1, 1),
                          "GroupConvolution"};
  for (const std::string activation :
       {"Relu-0(%c) {}", "Sigmoid-0(%c) {}", "Tanh-0(%c) {}", "Abs-0(%c) {}",
        "HSwish-4(%c) {}", "HSigmoid-5(%c) {}", "Mish-4(%c) {}",
        "SoftPlus-4(%c) {}", "Swish-4(%c) {}", "Negative-0(%c) {}",
        "Exp-0(%c) {}", "Elu-0(%c) {alpha: 0.5}",
        "Clamp-0(%c) {min: -0.5, max: 3}",
        "Gelu-7(%c) {approximation_mode: ERF}",
        "Gelu-7(%c) {approximation_mode: TANH}"}) {
    for (const Case& c : {dense, small, depthwise}) {
      // Not so large that exp() is.
      const std::string model =
          ModelOf(c, absl::StrCat("%y = ", activation, "\n"));
      const Compared compared = Compare(model);
      EXPECT_LT(compared.error, 1e-4) << model << compared.message;
      EXPECT_EQ(compared.steps, c.type + "+1") << model;
    }
  }
}

TEST(ConvolutionTest, TakesInArithmetic) {
  const Case dense = {"2,16,9,10", "20,16,3,3", Window(2, 2, 1, 1, 1)};
  const Case small = {"1,16,9,10", "20,16,1,1", Window(2, 1, 1, 0, 0)};
  const Case depthwise = {"1,20,9,10", "20,1,1,3,3", Window(2, 1, 1, 1, 1),
                          "GroupConvolution"};
  for (const std::string operation :
       {"Add", "Multiply", "Subtract", "Maximum", "Minimum"}) {
    for (const std::string shape : {"1", "20,1,1", "1,20,1,1"}) {
      for (const std::string order : {"%c, %k", "%k, %c"}) {
        for (const Case& c : {dense, small, depthwise}) {
          const std::string rest = absl::StrCat(
              Parameter("%k", shape, "f32", "constant k"), "%z = ", operation,
              "-1(", order, ") ", kAttributes, "\n%y = Sigmoid-0(%z) {}\n");
          const std::string model = ModelOf(c, rest);
          const Compared compared = Compare(model);
          EXPECT_LT(compared.error, 1e-4) << model << compared.message;
          if (operation == "Subtract" && order == "%k, %c") continue;
          EXPECT_EQ(compared.steps, c.type + "+2") << model;
        }
      }
    }
  }
}

TEST(ConvolutionTest, TakesInSlopes) {
  const Case dense = {"1,16,9,10", "20,16,3,3", Window(2, 2, 1, 1, 1)};
  for (const std::string shape : {"1", "20", "20,1,1"}) {
    const std::string model = ModelOf(
        dense, absl::StrCat(Parameter("%k", shape, "f32", "constant slope"),
                            "%y = PRelu-0(%c, %k) {}\n"));
    const Compared compared = Compare(model);
    EXPECT_LT(compared.error, kTolerance) << model << compared.message;
    EXPECT_EQ(compared.steps, "Convolution+1") << model;
  }
}

// y = relu(conv(relu(conv(x))) + conv(x)): the second operand is there.
TEST(ConvolutionTest, AddsAResidual) {
  for (const std::string channels : {"12", "16", "20"}) {
    const std::string window = Window(2, 1, 1, 1, 1);
    const std::string model = absl::StrReplaceAll(
        absl::StrCat(Parameter("%x", "1,CC,9,10"),
                     Parameter("%w", "CC,CC,3,3", "f32", "constant w"),
                     Parameter("%v", "CC,CC,1,1", "f32", "constant v"),
                     "%a = Convolution-1(%x, %w) {", window, "}\n",
                     "%b = Relu-0(%a) {}\n", "%c = Convolution-1(%b, %v) {",
                     Window(2, 1, 1, 0, 0), "}\n", "%d = Add-1(%c, %b) ",
                     kAttributes, "\n%y = Relu-0(%d) {}\n",
                     "%e = Convolution-1(%y, %w) {", window, "}\n",
                     "%f = Add-1(%y, %e) ", kAttributes, "\n",
                     "%r = Result-0(%f) {}\n"),
        {{"CC", channels}});
    const Compared compared = Compare(model);
    EXPECT_LT(compared.error, kTolerance) << model << compared.message;
    EXPECT_EQ(compared.steps, "Convolution+1, Convolution+2, Convolution+1");
  }
}

// Rows are pictures of one for kernels, and so are residuals.
TEST(ConvolutionTest, AddsAResidualToARow) {
  const std::string model = absl::StrCat(
      Parameter("%x", "2,16,50"),
      Parameter("%w", "16,16,3", "f32", "constant w"),
      Parameter("%v", "16,1,1,9", "f32", "constant v"),
      "%a = Convolution-1(%x, %w) {", Window(1, 1, 1, 1, 1),
      "}\n%b = Relu-0(%a) {}\n%c = GroupConvolution-1(%b, %v) {",
      Window(1, 1, 1, 4, 4), "}\n%d = Add-1(%c, %b) ", kAttributes,
      "\n%e = Convolution-1(%d, %w) {", Window(1, 1, 2, 2, 2),
      "}\n%y = Multiply-1(%e, %b) ", kAttributes, "\n%r = Result-0(%y) {}\n");
  EXPECT_LT(Compare(model).error, kTolerance);
  EXPECT_LT(Compare(model, InBf16()).error, kBf16Tolerance);
}

// Windows that take in whole planes, and windows longer than what they see of
// an axis: rows, planes and pixels must not be taken for each other.
TEST(ConvolutionTest, ReducesVolumesToAPixelOrAPlane) {
  for (const auto& [shape, weights, pad] :
       {std::tuple("2,16,9,4,5", "24,16,1,4,5", 0),
        std::tuple("1,16,1,6,7", "24,16,3,3,3", 1),
        std::tuple("1,1,2,6,7", "8,1,3,3,3", 1)}) {
    const std::string model =
        absl::StrCat(Parameter("%x", shape),
                     Parameter("%w", weights, "f32", "constant weights"),
                     "%c = Convolution-1(%x, %w) {", Window(3, 1, 1, pad, pad),
                     "}\n%y = Relu-0(%c) {}\n%r = Result-0(%y) {}\n");
    EXPECT_LT(Compare(model).error, kTolerance) << model;
    EXPECT_LT(Compare(model, InBf16()).error, kBf16Tolerance) << model;
  }
}

// Volumes whose windows reach along planes, or from plane to plane, are
// pictures for kernels, too.
TEST(ConvolutionTest, AddsAResidualToAVolume) {
  const std::string planes =
      "strides: [1,1,1], dilations: [1,1,1], pads_begin: [0,1,2], pads_end: "
      "[0,1,2], auto_pad: explicit";
  const std::string depth =
      "strides: [1,1,1], dilations: [2,1,1], pads_begin: [2,0,0], pads_end: "
      "[2,0,0], auto_pad: explicit";
  for (const std::string channels : {"16", "19"}) {
    const std::string model = absl::StrReplaceAll(
        absl::StrCat(Parameter("%x", "2,CC,5,8,9"),
                     Parameter("%v", "CC,CC,1,3,5", "f32", "constant v"),
                     Parameter("%w", "CC,CC,3,1,1", "f32", "constant w"),
                     Parameter("%u", "CC,1,1,1,3,5", "f32", "constant u"),
                     "%a = Convolution-1(%x, %v) {", planes, "}\n",
                     "%b = Relu-0(%a) {}\n", "%c = Convolution-1(%b, %w) {",
                     depth, "}\n%d = Add-1(%c, %b) ", kAttributes,
                     "\n%e = GroupConvolution-1(%d, %u) {", planes,
                     "}\n%f = Multiply-1(%e, %b) ", kAttributes,
                     "\n%g = Convolution-1(%f, %v) {", planes,
                     "}\n%y = Add-1(%g, %f) ", kAttributes,
                     "\n%r = Result-0(%y) {}\n"),
        {{"CC", channels}});
    const Compared compared = Compare(model);
    EXPECT_LT(compared.error, kTolerance) << model << compared.message;
    EXPECT_LT(Compare(model, InBf16()).error, kBf16Tolerance) << model;
  }
}

// oneDNN's blocks of products of channels by themselves take no rows.
TEST(ConvolutionTest, TakesChannelsOfARowInBlocks) {
  if (!HasAvx512()) GTEST_SKIP() << "no such code";
  const Case row = {"1,32,50", "32,1,1,9", Window(1, 1, 1, 4, 4),
                    "GroupConvolution"};
  EXPECT_TRUE(
      absl::StrContains(Compare(ModelOf(row)).KernelOf(row.type), "brdgmm"));
}

// The sum has another reader, and the first operand is not there yet.
TEST(ConvolutionTest, LeavesWhatItCannotTakeIn) {
  const std::string model =
      absl::StrCat(Parameter("%x", "1,8,9,10"),
                   Parameter("%w", "8,8,3,3", "f32", "constant w"),
                   "%c = Convolution-1(%x, %w) {", Window(2, 1, 1, 1, 1), "}\n",
                   "%s = Sigmoid-0(%c) {}\n%m = Multiply-1(%c, %s) ",
                   kAttributes, "\n%r = Result-0(%m) {}\n");
  const Compared compared = Compare(model);
  EXPECT_LT(compared.error, kTolerance) << compared.message;
  EXPECT_TRUE(absl::StartsWith(compared.steps, "Convolution, "))
      << compared.steps;
}

// Between two convolutions nothing is copied.
TEST(ConvolutionTest, KeepsTheLayout) {
  const std::string model =
      absl::StrCat(Parameter("%x", "1,3,19,20"),
                   Parameter("%u", "16,3,3,3", "f32", "constant u"),
                   Parameter("%v", "16,1,1,3,3", "f32", "constant v"),
                   Parameter("%w", "24,16,1,1", "f32", "constant w"),
                   "%a = Convolution-1(%x, %u) {", Window(2, 2, 1, 1, 1), "}\n",
                   "%b = GroupConvolution-1(%a, %v) {", Window(2, 1, 1, 1, 1),
                   "}\n", "%c = Convolution-1(%b, %w) {", Window(2, 1, 1, 0, 0),
                   "}\n", "%r = Result-0(%c) {}\n");
  const Compared compared = Compare(model);
  EXPECT_LT(compared.error, kTolerance) << compared.message;
  EXPECT_LE(compared.reorders, 2);  // perhaps one in, and one out
}

// ---- Stride 1 ----

// A machine whose vectors of `lanes` floats, with which own kernels are
// compiled here, do that many products a nanosecond, and whose caches are
// common ones.
MachineModel MachineOf(int64_t lanes, double products) {
  MachineModel machine;
  machine.f32_8 = lanes == 8 ? products : products / 2;
  machine.f32_16 = lanes == 16 ? products : 0;
  machine.l1 = {32 << 10, 100};
  machine.l2 = {1 << 20, 60};
  machine.l3 = {32 << 20, 25};
  machine.memory_bytes_a_ns = 10;
  machine.wake_ns = 1000;
  return machine;
}

const MachineModel& FixedMachine() {
  static const auto& machine =
      *new MachineModel(MachineOf(WinogradLanes(), 50));
  return machine;
}

// With choices that do not depend on what this machine is measured to do.
CompareOptions OnFixedMachine(int threads = 1) {
  CompareOptions options;
  options.settings.threads = threads;
  options.settings.machine = &FixedMachine();
  return options;
}

// On processors for which the kernel is meant.
void ExpectWinograd(const Compared& compared) {
  if (WinogradLanes() == 0) return;
  EXPECT_EQ(compared.KernelOf("Convolution"), "winograd_f32");
}

TEST(WinogradConvolutionTest, IsChosenByWhatTheMachineDoes) {
  const int64_t lanes = WinogradLanes();
  if (lanes == 0) GTEST_SKIP() << "no vectors of 8 floats";
  const auto kernel = [&](const Case& c, const MachineModel& machine) {
    CompareOptions options;
    options.settings.machine = &machine;
    return Compare(ModelOf(c), options).KernelOf("Convolution");
  };
  const Case deep = {"1,64,28,28", "64,64,3,3", Window(2, 1, 1, 1, 1)};
  const Case two_pixels = {"1,64,2,2", "64,64,3,3", Window(2, 1, 1, 1, 1)};
  const MachineModel machine = MachineOf(lanes, 50);
  EXPECT_EQ(kernel(deep, machine), "winograd_f32");
  EXPECT_NE(kernel(two_pixels, machine), "winograd_f32");
  // Transformed weights are four times as long.
  MachineModel slow_memory = machine;
  slow_memory.l2.bytes = slow_memory.l3.bytes = 64 << 10;
  slow_memory.memory_bytes_a_ns = 0.1;
  EXPECT_NE(kernel(deep, slow_memory), "winograd_f32");
}

// In bf16, of which this machine multiplies `bf16` a nanosecond.
CompareOptions InBf16On(const MachineModel& machine) {
  CompareOptions options;
  options.settings.compute_type = ElementType::kBf16;
  options.settings.machine = &machine;
  return options;
}

TEST(WinogradConvolutionTest, ReadsBf16WhereThatIsNoFasterDirectly) {
  if (WinogradLanes() != 16) GTEST_SKIP() << "no vectors of 16 floats";
  MachineModel machine = MachineOf(16, 50);
  machine.bf16 = 100;
  MachineModel tiles = machine;  // such as those of AMX
  tiles.bf16 = 800;
  const Case deep = {"1,64,28,28", "64,64,3,3", Window(2, 1, 1, 1, 1)};
  const Case uneven = {"2,72,26,27", "88,72,3,3", Window(2, 1, 1, 2, 0)};
  const std::string relu = "%y = Relu-0(%c) {}\n";
  for (const Case& c : {deep, uneven}) {
    const Compared compared = Compare(ModelOf(c, relu), InBf16On(machine));
    EXPECT_LT(compared.error, kBf16Tolerance) << compared.message;
    EXPECT_EQ(compared.KernelOf("Convolution"), "winograd_bf16");
    EXPECT_NE(
        Compare(ModelOf(c, relu), InBf16On(tiles)).KernelOf("Convolution"),
        "winograd_bf16");
  }
  // A step for an activation that it lacks would cost what it saves.
  EXPECT_NE(Compare(ModelOf(deep, "%y = Sigmoid-0(%c) {}\n"), InBf16On(machine))
                .KernelOf("Convolution"),
            "winograd_bf16");
}

// As blocks of detectors have it: behind the activation comes the sum.
TEST(WinogradConvolutionTest, TakesInActivationsBeforeAResidual) {
  const std::string window = Window(2, 1, 1, 1, 1);
  for (const std::string activation :
       {"Swish-4(%V)", "HSwish-4(%V)", "PRelu-0(%V, %s)", "Relu-0(%V)"}) {
    for (const std::string channels : {"32", "40"}) {
      const std::string model = absl::StrReplaceAll(
          absl::StrCat(
              Parameter("%x", "1,CC,20,21"),
              Parameter("%w", "CC,CC,3,3", "f32", "constant w"),
              Parameter("%b", "1,CC,1,1", "f32", "constant b"),
              "%s = Constant-0() {value: f32[1] {0.1}}\n",
              "%a = Convolution-1(%x, %w) {", window, "}\n%c = Add-1(%a, %b) ",
              kAttributes,
              "\n%d = ", absl::StrReplaceAll(activation, {{"%V", "%c"}}),
              " {}\n%e = Convolution-1(%d, %w) {", window,
              "}\n%f = Add-1(%e, %b) ", kAttributes,
              "\n%g = ", absl::StrReplaceAll(activation, {{"%V", "%f"}}),
              " {}\n%y = Add-1(%g, %d) ", kAttributes,
              "\n%r = Result-0(%y) {}\n"),
          {{"CC", channels}});
      const Compared compared = Compare(model, OnFixedMachine());
      EXPECT_LT(compared.error, kWinogradTolerance) << model;
      ExpectWinograd(compared);
      if (WinogradLanes() > 0) {
        EXPECT_EQ(compared.steps, "Convolution+2, Convolution+3") << model;
      }
    }
  }
}

TEST(WinogradConvolutionTest, AddsResidualsOfBf16) {
  if (WinogradLanes() != 16) GTEST_SKIP() << "no vectors of 16 floats";
  MachineModel machine = MachineOf(16, 50);
  machine.bf16 = 100;
  const std::string window = Window(2, 1, 1, 1, 1);
  for (const std::string channels : {"32", "40"}) {
    const std::string model = absl::StrReplaceAll(
        absl::StrCat(Parameter("%x", "1,CC,20,21"),
                     Parameter("%w", "CC,CC,3,3", "f32", "constant w"),
                     "%a = Convolution-1(%x, %w) {", window,
                     "}\n%b = Relu-0(%a) {}\n%c = Convolution-1(%b, %w) {",
                     window, "}\n%d = Add-1(%c, %b) ", kAttributes,
                     "\n%e = Relu-0(%d) {}\n%f = Convolution-1(%e, %w) {",
                     window, "}\n%y = Add-1(%f, %e) ", kAttributes,
                     "\n%r = Result-0(%y) {}\n"),
        {{"CC", channels}});
    const Compared compared = Compare(model, InBf16On(machine));
    EXPECT_LT(compared.error, kBf16Tolerance) << model << compared.message;
    EXPECT_EQ(compared.KernelOf("Convolution"), "winograd_bf16") << model;
  }
}

TEST(WinogradConvolutionTest, AgreesWithTheReference) {
  const Case same = {"2,16,18,19", "24,16,3,3", Window(2, 1, 1, 1, 1)};
  const Case more = {"1,20,18,19", "20,20,3,3", Window(2, 1, 1, 2, 0)};
  const Case large = {"1,24,8,9", "40,24,5,5", Window(2, 1, 1, 2, 2)};
  const Case dilated = {"1,24,30,29", "40,24,3,3", Window(2, 1, 4, 4, 4)};
  const Case line = {"2,32,60", "64,32,3", Window(1, 1, 8, 16, 0)};
  const Case volume = {"1,16,3,18,19", "24,16,3,3,3", Window(3, 1, 1, 1, 1)};
  const Case planes = {"1,64,12,7,9", "64,64,3,1,1",
                       "strides: [1,1,1], dilations: [1,1,1], "
                       "pads_begin: [1,0,0], pads_end: [1,0,0], "
                       "auto_pad: explicit"};
  for (const std::string rest :
       {"", "%a = Relu-0(%c) {}\n%y = Sigmoid-0(%a) {}\n",
        "%y = Clamp-0(%c) {min: -1, max: 6}\n",
        "%y = Clamp-0(%c) {min: 1, max: 6}\n", "%y = Tanh-0(%c) {}\n"}) {
    for (const Case& c : {same, more, large, dilated, line, volume, planes}) {
      for (const int threads : {1, 3}) {
        const std::string model = ModelOf(c, rest);
        const Compared compared = Compare(model, OnFixedMachine(threads));
        EXPECT_LT(compared.error, kWinogradTolerance)
            << model << compared.message;
        ExpectWinograd(compared);
      }
    }
  }
}

// By smaller tiles, which have fewer weights, and with outputs divided among
// the threads, whose number does not divide that of blocks.
TEST(WinogradConvolutionTest, SavesMemoryOfDeepLayers) {
  const Case deep = {"1,128,20,20", "144,128,3,3", Window(2, 1, 1, 1, 1)};
  const std::string model = ModelOf(deep, "%y = Relu-0(%c) {}\n");
  for (const int threads : {1, 2, 4}) {
    const Compared compared = Compare(model, OnFixedMachine(threads));
    EXPECT_LT(compared.error, kWinogradTolerance) << compared.message;
    ExpectWinograd(compared);
  }
}

TEST(WinogradConvolutionTest, TakesInSlopes) {
  for (const Case& c : {Case{"1,16,18,19", "24,16,3,3", Window(2, 1, 1, 1, 1)},
                        Case{"1,64,80", "24,64,3", Window(1, 1, 1, 1, 1)}}) {
    const std::string model =
        ModelOf(c, absl::StrCat(Parameter("%k", "24", "f32", "constant slope"),
                                "%a = PRelu-0(%c, %k) {}\n",
                                "%y = Clamp-0(%a) {min: -1, max: 6}\n"));
    const Compared compared = Compare(model, OnFixedMachine());
    EXPECT_LT(compared.error, kWinogradTolerance) << model << compared.message;
    EXPECT_EQ(compared.steps, "Convolution+2") << model;
    ExpectWinograd(compared);
  }
}

// The first sum is the last reader of its operand, the second is not, and the
// third adds what the convolution reads.
TEST(WinogradConvolutionTest, AddsResiduals) {
  const std::string window = Window(2, 1, 1, 1, 1);
  const std::string model = absl::StrCat(
      Parameter("%p", "1,16,18,19"),
      Parameter("%w", "16,16,3,3", "f32", "constant w"),
      Parameter("%b", "1,16,1,1", "f32", "constant b"),
      "%x = Convolution-1(%p, %w) {", window, "}\n",
      "%c = Convolution-1(%x, %w) {", window, "}\n", "%d = Add-1(%c, %b) ",
      kAttributes, "\n%e = Add-1(%d, %x) ", kAttributes,
      "\n%f = Relu-0(%e) {}\n", "%g = Convolution-1(%f, %w) {", window,
      "}\n%h = Add-1(%f, %g) ", kAttributes, "\n%i = Convolution-1(%h, %w) {",
      window, "}\n%j = Add-1(%i, %f) ", kAttributes, "\n%k = Add-1(%j, %h) ",
      kAttributes, "\n%r = Result-0(%k) {}\n");
  const Compared compared = Compare(model);
  EXPECT_LT(compared.error, kWinogradTolerance) << model << compared.message;
}

// ---- Few channels ----

TEST(FewChannelsConvolutionTest, AgreesWithTheReference) {
  const Case image = {"1,3,17,19", "20,3,5,5", Window(2, 2, 1, 2, 2)};
  const Case gray = {"2,1,28,28", "16,1,3,3", Window(2, 1, 1, 1, 0)};
  const Case planar = {"2,4,17,39", "3,4,3,3", Window(2, 1, 2, 2, 2)};
  const Case line = {"2,2,40", "9,2,5", Window(1, 1, 1, 4, 0)};
  const std::string slopes =
      absl::StrCat(Parameter("%k", "1", "f32", "constant slope"),
                   "%y = PRelu-0(%c, %k) {}\n");
  const std::vector<std::string> all = {
      "", slopes, "%y = Clamp-0(%c) {min: -1, max: 6}\n",
      "%a = Relu-0(%c) {}\n%y = Tanh-0(%a) {}\n"};
  for (const std::string& rest : all) {
    for (const Case& c : {image, gray, planar, line}) {
      for (const int threads : {1, 3}) {
        CompareOptions options;
        options.settings.threads = threads;
        const std::string model = ModelOf(c, rest);
        const Compared compared = Compare(model, options);
        EXPECT_LT(compared.error, kTolerance) << model << compared.message;
        if (FewChannelsConvolution::Lanes() == 0) continue;
        EXPECT_EQ(compared.KernelOf("Convolution"), "few_channels_f32");
      }
    }
  }
}

// A copy of what a window reads would be larger than all there is.
TEST(FewChannelsConvolutionTest, LeavesWindowsOfLargeDilation) {
  const Case c = {"1,1,3,3", "1,1,3,3", Window(2, 1, 2000, 2000, 2000)};
  const std::string model = ModelOf(c);
  const Compared compared = Compare(model);
  EXPECT_LT(compared.error, kTolerance) << model << compared.message;
  EXPECT_NE(compared.KernelOf("Convolution"), "few_channels_f32");
}

// ---- Gathered windows ----

// Pixels between windows of one element do not end with the picture.
TEST(GatheredConvolutionTest, AgreesWithTheReference) {
  const std::vector<Case> cases = {
      {"1,40,13,13", "48,40,1,1", Window(2, 2, 1, 0, 0)},
      {"2,44,7,9", "20,44,1,1", Window(2, 2, 1, 0, 0)},
      {"1,16,31", "24,16,1", Window(1, 3, 1, 0, 0)},
  };
  for (const std::string rest :
       {"", "%y = Relu-0(%c) {}\n", "%y = Sigmoid-0(%c) {}\n"}) {
    for (const Case& c : cases) {
      const std::string model = ModelOf(c, rest);
      for (const int threads : {1, 3}) {
        const Compared compared = Compare(model, OnFixedMachine(threads));
        EXPECT_LT(compared.error, kTolerance) << model << compared.message;
        if (!HasWideVectors() || HasAvx512()) continue;
        EXPECT_EQ(compared.KernelOf("Convolution"), "gathered_f32") << model;
      }
    }
  }
}

// Weights of one block of channels are read by oneDNN as fast.
TEST(GatheredConvolutionTest, LeavesSmallWeights) {
  const Case c = {"1,16,28,28", "16,16,3,3", Window(2, 2, 1, 1, 1)};
  const Compared compared = Compare(ModelOf(c), OnFixedMachine());
  EXPECT_NE(compared.KernelOf("Convolution"), "gathered_f32");
}

TEST(PixelTilesConvolutionTest, AgreesWithTheReference) {
  const std::string type = "ConvolutionBackpropData";
  const std::string padding = ", output_padding: [0,0]";
  const std::vector<Case> cases = {
      {"2,9,7,11", "9,4,3,3", Window(2, 3, 1, 0, 0) + padding, type},
      {"1,16,6,40", "16,1,2,2", Window(2, 2, 1, 0, 0) + padding, type},
      {"1,5,6,9", "5,2,4,4", Window(2, 4, 1, 0, 0) + padding, type},
  };
  for (const std::string rest :
       {"", "%y = Relu-0(%c) {}\n", "%y = Sigmoid-0(%c) {}\n"}) {
    for (const Case& c : cases) {
      const std::string model = ModelOf(c, rest);
      const Compared compared = Compare(model);
      EXPECT_LT(compared.error, kTolerance) << model << compared.message;
      if (!HasWideVectors()) continue;
      EXPECT_EQ(compared.KernelOf(type), "pixel_tiles_f32");
    }
  }
}

// Between convolutions whose data are in blocks, as in U-Nets, with channels
// that fill no block.
TEST(TransposedTilesConvolutionTest, StaysInBlocks) {
  for (const std::string outputs : {"16", "20"}) {
    const std::string model = absl::StrCat(
        Parameter("%x", "2,24,9,11"),
        Parameter("%w", "24,24,3,3", "f32", "constant w"),
        Parameter("%v", "24," + outputs + ",2,2", "f32", "constant v"),
        Parameter("%b", "1," + outputs + ",1,1", "f32", "constant b"),
        Parameter("%u", "8," + outputs + ",3,3", "f32", "constant u"),
        "%c = Convolution-1(%x, %w) {", Window(2, 1, 1, 1, 1),
        "}\n%d = Relu-0(%c) {}\n%e = ConvolutionBackpropData-1(%d, %v) {",
        Window(2, 2, 1, 0, 0), ", output_padding: [0,0]}\n",
        "%f = Add-1(%e, %b) {}\n%g = Convolution-1(%f, %u) {",
        Window(2, 1, 1, 1, 1), "}\n%r = Result-0(%g) {}\n");
    const Compared compared = Compare(model);
    EXPECT_LT(compared.error, kTolerance) << compared.message;
    if (!HasWideVectors() || HasAvx512()) continue;
    EXPECT_EQ(compared.KernelOf("ConvolutionBackpropData"),
              "transposed_tiles_f32");
    EXPECT_EQ(compared.reorders, 2);  // of the input and of the result
  }
}

// What is convolved before is planar at once.
TEST(PixelTilesConvolutionTest, ReadsWhatFewChannelsBecame) {
  const std::string model = absl::StrCat(
      Parameter("%x", "1,4,12,21"),
      Parameter("%w", "36,4,3,3", "f32", "constant w"),
      Parameter("%v", "36,4,3,3", "f32", "constant v"),
      "%c = Convolution-1(%x, %w) {", Window(2, 1, 1, 1, 1),
      "}\n%d = Relu-0(%c) {}\n%e = ConvolutionBackpropData-1(%d, %v) {",
      Window(2, 3, 1, 0, 0), ", output_padding: [0,0]}\n",
      "%r = Result-0(%e) {}\n");
  const Compared compared = Compare(model);
  EXPECT_LT(compared.error, kTolerance) << compared.message;
  if (!HasWideVectors()) return;
  EXPECT_EQ(compared.steps, "Convolution+1, ConvolutionBackpropData");
  EXPECT_EQ(compared.reorders, 0);
}

// ---- Channels by themselves, with large windows ----

std::string LargeWindow(int stride, int rows, int columns) {
  return absl::StrCat("strides: [", stride, ",", stride,
                      "], dilations: [1,1], pads_begin: [", rows / 2, ",",
                      columns / 2, "], pads_end: [", rows / 2, ",",
                      (columns - 1) / 2, "], auto_pad: explicit");
}

const std::vector<Case>& LargeWindows() {
  const std::string type = "GroupConvolution";
  static const auto& cases = *new std::vector<Case>{
      {"1,16,30,31", "16,1,1,15,15", LargeWindow(1, 15, 15), type},
      {"2,20,33,20", "20,1,1,13,14", LargeWindow(1, 13, 14), type},
      {"1,40,40,41", "40,1,1,17,16", LargeWindow(2, 17, 16), type},
      {"2,5,14,14", "5,1,1,27,27", LargeWindow(1, 27, 27), type},
      {"1,24,9,50", "24,1,1,5,51", LargeWindow(1, 5, 51), type},
  };
  return cases;
}

Case LongRow() {
  return {"1,24,300", "24,1,1,127", Window(1, 1, 1, 63, 63),
          "GroupConvolution"};
}

std::string KernelIn(const Case& c, const CompareOptions& options) {
  return Compare(ModelOf(c), options).KernelOf(c.type);
}

TEST(DepthwiseTilesTest, AgreesWithTheReference) {
  const std::string more = Parameter("%k", "1", "f32", "constant slope");
  std::vector<Case> cases = LargeWindows();
  cases.push_back(LongRow());
  for (const Case& c : cases) {
    for (const std::string& rest :
         {std::string(), std::string("%y = Clamp-0(%c) {min: -1, max: 6}\n"),
          more + "%y = PRelu-0(%c, %k) {}\n",
          std::string("%a = Relu-0(%c) {}\n%y = Tanh-0(%a) {}\n")}) {
      const std::string model = ModelOf(c, rest);
      for (const int threads : {1, 3}) {
        CompareOptions options;
        options.settings.threads = threads;
        const Compared compared = Compare(model, options);
        EXPECT_LT(compared.error, kTolerance) << model << compared.message;
      }
    }
  }
}

TEST(DepthwiseTilesTest, TakesLargeWindowsAlone) {
  if (DepthwiseTiles::Lanes() == 0) GTEST_SKIP() << "no vectors of 8 floats";
  for (const Case& c : LargeWindows()) {
    EXPECT_EQ(KernelIn(c, {}), "depthwise_tiles_f32") << c.weights;
  }
  const std::string type = "GroupConvolution";
  for (const Case& c : std::vector<Case>{
           {"1,16,30,30", "16,1,1,3,3", LargeWindow(1, 3, 3), type},
           {"1,16,30,30", "16,1,1,5,5", LargeWindow(1, 5, 5), type},
           {"1,16,40,40", "16,1,1,15,15", Window(2, 1, 2, 14, 14), type},
           {"1,16,30,30", "8,2,2,15,15", LargeWindow(1, 15, 15), type}}) {
    EXPECT_NE(KernelIn(c, {}), "depthwise_tiles_f32") << c.weights;
  }
}

// In bf16, oneDNN has but general code for windows of more than 13 columns.
TEST(DepthwiseTilesTest, ReplacesGeneralCodeInBf16) {
  if (!HasBf16() || !HasAvx512()) GTEST_SKIP() << "no such code";
  std::vector<Case> cases = LargeWindows();
  cases.push_back(LongRow());
  for (const Case& c : cases) {
    const bool is_general = absl::StrContains(c.window, "strides: [1");
    const Compared compared = Compare(ModelOf(c), InBf16());
    EXPECT_EQ(compared.KernelOf(c.type) == "depthwise_tiles_f32", is_general)
        << c.weights;
    EXPECT_LT(compared.error, kBf16Tolerance) << c.weights << compared.message;
  }
}

// ---- Channels by themselves, far apart ----

TEST(DepthwiseConvolutionTest, AgreesWithTheReference) {
  const std::string type = "GroupConvolution";
  const std::vector<Case> cases = {
      {"1,16,20,30", "16,1,1,3,3", Window(2, 1, 8, 8, 8), type},
      {"2,20,20,30", "20,1,1,3,3", Window(2, 1, 6, 6, 6), type},
      {"1,16,9,40", "16,1,1,3,3", Window(2, 2, 12, 12, 12), type},
      {"1,12,20,30", "12,1,1,5,5", Window(2, 1, 5, 10, 9), type},
      {"1,8,5,6", "8,1,1,3,3", Window(2, 1, 24, 24, 24), type},
  };
  for (const Case& c : cases) {
    for (const std::string rest :
         {"", "%y = Relu-0(%c) {}\n", "%y = Clamp-0(%c) {min: 1, max: 6}\n",
          "%a = Relu-0(%c) {}\n%y = Tanh-0(%a) {}\n"}) {
      const std::string model = ModelOf(c, rest);
      const Compared compared = Compare(model);
      EXPECT_LT(compared.error, kTolerance) << model << compared.message;
    }
  }
}

// ---- Integers ----

struct IntegerCase {
  std::string type;  // of the data
  std::string zero_point;  // or those of the 16 channels
  std::string weights;  // "constant_small" or "constant"
  std::string after;    // from %n to %y
  std::string shape = "16,16,3,3";
};

std::string IntegerModel(const IntegerCase& c) {
  const bool grouped = std::count(c.shape.begin(), c.shape.end(), ',') == 4;
  const std::string type = grouped ? "GroupConvolution" : "Convolution";
  const int pad = absl::EndsWith(c.shape, "1,1") ? 0 : 1;
  std::string data = "%xf";
  std::string text =
      absl::StrCat(Parameter("%x", "1,16,9,10", c.type),
                   Parameter("%w", c.shape, "i8", c.weights),
                   Parameter("%k", "1,16,1,1", "f32", "constant scale"),
                   "%xf = Convert-0(%x) {destination_type: f32}\n");
  if (!c.zero_point.empty()) {
    const bool is_one = !absl::StrContains(c.zero_point, ',');
    absl::StrAppend(&text, "%z = Constant-0() {value: f32",
                    is_one ? "[]" : "[1,16,1,1]", " {", c.zero_point,
                    "}}\n%xz = Subtract-1(%xf, %z) ", kAttributes, "\n");
    data = "%xz";
  }
  absl::StrAppend(&text, "%wf = Convert-0(%w) {destination_type: f32}\n",
                  "%c = ", type, "-1(", data, ", %wf) {",
                  Window(2, 1, 1, pad, pad), "}\n%n = Multiply-1(%c, %k) ",
                  kAttributes, "\n", c.after, "%r = Result-0(%y) {}\n");
  return text;
}

const char* const kToBytes =
    "%il = Constant-0() {value: f32[] {-30000}}\n"
    "%ih = Constant-0() {value: f32[] {50000}}\n"
    "%ol = Constant-0() {value: f32[] {0}}\n"
    "%oh = Constant-0() {value: f32[] {255}}\n"
    "%q = FakeQuantize-0(%n, %il, %ih, %ol, %oh) "
    "{levels: 256, auto_broadcast: numpy}\n"
    "%y = Convert-0(%q) {destination_type: u8}\n";

// Another order of summation would put some elements on the other side of a
// tie: a level away. So would a bias that sums begin with.
TEST(QuantizedConvolutionTest, SumsOneChannelAfterTheOther) {
  const std::string rest = Parameter("%b", "1,64,1,1", "f32", "constant bias") +
                           "%n = Add-1(%c, %b) {auto_broadcast: numpy}\n"
                           "%low = Constant-0() {value: f32[] {-31}}\n"
                           "%high = Constant-0() {value: f32[] {37}}\n"
                           "%y = FakeQuantize-0(%n, %low, %high, %low, %high) "
                           "{levels: 256, auto_broadcast: numpy}\n";
  for (const int channels : {64, 128, 136, 256}) {
    // Rows that are put together, all or some, and those that are long enough.
    for (const std::string image : {"28,28", "7,9", "6,60", "3,130"}) {
      for (const int stride : {1, 2}) {
        const Case c = {absl::StrCat("1,", channels, ",", image),
                        absl::StrCat("64,", channels, ",1,1"),
                        Window(2, stride, 1, 0, 0)};
        const std::string model = ModelOf(c, rest);
        const Compared compared = Compare(model);
        EXPECT_LT(compared.error, 1e-6) << model << compared.message;
        EXPECT_LE(compared.reorders, 2);
      }
    }
  }
}

TEST(IntegerConvolutionTest, IsExact) {
  for (const std::string type : {"u8", "i8"}) {
    for (const std::string zero : {"", "7"}) {
      for (const std::string weights : {"constant_small", "constant"}) {
        for (const std::string shape :
             {"16,16,3,3", "16,16,1,1", "16,1,1,3,3", "2,8,8,3,3"}) {
          const std::string model = IntegerModel(
              {type, zero, weights, "%y = Relu-0(%n) {}\n", shape});
          const Compared compared = Compare(model);
          EXPECT_LT(compared.error, 1e-5) << model << compared.message;
        }
      }
    }
  }
}

TEST(IntegerConvolutionTest, IsExactInVolumes) {
  for (const std::string type : {"u8", "i8"}) {
    for (const std::string kernel : {"3,3,3", "1,3,3", "3,1,1", "1,1,1"}) {
      for (const int stride : {1, 2}) {
        const int pad = kernel == "3,3,3" ? 1 : 0;
        const std::string model = absl::StrCat(
            Parameter("%x", "2,16,5,7,9", type),
            Parameter("%w", "24,16," + kernel, "i8", "constant_small"),
            Parameter("%k", "1,24,1,1,1", "f32", "constant scale"),
            "%xf = Convert-0(%x) {destination_type: f32}\n"
            "%z = Constant-0() {value: f32[] {7}}\n"
            "%d = Subtract-1(%xf, %z) ",
            kAttributes, "\n%wf = Convert-0(%w) {destination_type: f32}\n",
            "%c = Convolution-1(%d, %wf) {", Window(3, stride, 1, pad, pad),
            "}\n%n = Multiply-1(%c, %k) ", kAttributes, "\n", kToBytes,
            "%r = Result-0(%y) {}\n");
        const Compared compared = Compare(model);
        EXPECT_LT(compared.error, 1e-5) << model << compared.message;
      }
    }
  }
}

// What oneDNN would write outside of its memory for (AMX): rows are padded, and
// columns, more than a tile has rows, are not.
TEST(IntegerConvolutionTest, ZeroPointsInPaddingOfRowsAlone) {
  for (const std::string type : {"u8", "i8"}) {
    const std::string model = absl::StrCat(
        Parameter("%x", "1,32,9,44", type),
        Parameter("%w", "32,32,3,1", "i8", "constant_small"),
        Parameter("%k", "1,32,1,1", "f32", "constant scale"),
        "%xf = Convert-0(%x) {destination_type: f32}\n"
        "%z = Constant-0() {value: f32[] {7}}\n"
        "%d = Subtract-1(%xf, %z) ",
        kAttributes, "\n%wf = Convert-0(%w) {destination_type: f32}\n",
        "%c = Convolution-1(%d, %wf) {strides: [1,1], pads_begin: [1,0], "
        "pads_end: [1,0], auto_pad: explicit, dilations: [1,1]}\n",
        "%n = Multiply-1(%c, %k) ", kAttributes, "\n", kToBytes,
        "%r = Result-0(%y) {}\n");
    const Compared compared = Compare(model);
    EXPECT_LT(compared.error, 1e-5) << model << compared.message;
  }
}

TEST(IntegerConvolutionTest, TakesAZeroPointOfEachChannel) {
  const std::string residual =
      Parameter("%t", "1,16,1,1") + "%y = Add-1(%n, %t) {}\n";
  for (const std::string type : {"u8", "i8"}) {
    for (const std::string shape :
         {"16,1,1,3,3", "16,1,1,5,5", "16,1,1,2,3", "16,16,3,3"}) {
      for (const std::string& after : {std::string(kToBytes), residual}) {
        const std::string model =
            IntegerModel({type, "0,1,2,3,127,5,6,7,8,9,10,100,12,13,14,15",
                          "constant_small", after, shape});
        const Compared compared = Compare(model);
        EXPECT_LT(compared.error, 1e-5) << model << compared.message;
      }
    }
  }
}

// Without scales there are fewer registers in use, and so more in the wrong
// count.
TEST(IntegerConvolutionTest, ComesToAnEndForLargeDepthwiseWindows) {
  for (const std::string subtracted : {"",
                                       "%z = Constant-0() {value: f32[] {7}}\n"
                                       "%d = Subtract-1(%xf, %z) {}\n"}) {
    for (const std::string channels : {"4", "16", "32"}) {
      const std::string model = absl::StrCat(
          Parameter("%x", "1," + channels + ",39,40", "u8"),
          Parameter("%w", channels + ",1,1,15,15", "i8", "constant_small"),
          "%xf = Convert-0(%x) {destination_type: f32}\n", subtracted,
          "%wf = Convert-0(%w) {destination_type: f32}\n",
          "%y = GroupConvolution-1(", subtracted.empty() ? "%xf" : "%d",
          ", %wf) {", Window(2, 1, 1, 7, 7), "}\n%r = Result-0(%y) {}\n");
      const Compared compared = Compare(model);
      EXPECT_LT(compared.error, 1e-5) << model << compared.message;
    }
  }
}

// Levels of two scales side by side: no integers, but no bf16 either.
TEST(IntegerConvolutionTest, FloatsOfAQuantizedNetworkAreNotRoundedToBf16) {
  const std::string model = absl::StrCat(
      Parameter("%a", "1,8,9,10"), Parameter("%b", "1,8,9,10"),
      "%l = Constant-0() {value: f32[] {0}}\n"
      "%ah = Constant-0() {value: f32[] {1.7}}\n"
      "%bh = Constant-0() {value: f32[] {0.13}}\n"
      "%aq = FakeQuantize-0(%a, %l, %ah, %l, %ah) {levels: 256}\n"
      "%bq = FakeQuantize-0(%b, %l, %bh, %l, %bh) {levels: 256}\n"
      "%x = Concat-0(%aq, %bq) {axis: 1}\n"
      "%p = MaxPool-1(%x) {strides: [1,1], kernel: [2,2], pads_begin: [0,0], "
      "pads_end: [0,0], rounding_type: floor, auto_pad: explicit}\n",
      Parameter("%w", "16,16,3,3", "f32", "constant weights"),
      "%y = Convolution-1(%p, %w) {", Window(2, 1, 1, 1, 1), "}\n",
      "%r = Result-0(%y) {}\n");
  const Compared compared = Compare(model, InBf16());
  EXPECT_LT(compared.error, kTolerance) << compared.message;
}

TEST(IntegerConvolutionTest, ReadsBytes) {
  const std::string model =
      IntegerModel({"u8", "", "constant_small", "%y = Relu-0(%n) {}\n"});
  const Compared compared = Compare(model);
  EXPECT_LT(compared.error, 1e-5) << compared.message;
  EXPECT_EQ(compared.steps, "Convolution+2");
  // What oneDNN calls its kernels depends on the instruction set. Own ones are
  // there where oneDNN's would overflow.
  const std::string kernel = compared.KernelOf("Convolution");
  EXPECT_TRUE(absl::StartsWith(kernel, "onednn_") ||
              absl::StrContains(kernel, "int8"))
      << kernel;
}

// Bytes of few channels that no convolution reads.
TEST(IntegerConvolutionTest, PicturesOfBytesMayBeResults) {
  const std::string model = absl::StrCat(Parameter("%n", "1,3,5,7"), kToBytes,
                                         "%r = Result-0(%y) {}\n");
  const Compared compared = Compare(model);
  EXPECT_LT(compared.error, 1e-5) << compared.message;
}

// Scales and biases of channels, and what makes bytes of floats, are computed
// where the first convolution reads them, if a kernel does that.
TEST(IntegerConvolutionTest, QuantizesThePictureThatItReads) {
  for (const std::string channels : {"1", "3", "4"}) {
    for (const auto& [low, high, type] :
         {std::tuple("0", "255", "u8"), std::tuple("-128", "127", "i8")}) {
      const std::string model = absl::StrCat(
          Parameter("%x", "2," + channels + ",17,21"),
          Parameter("%k", "1," + channels + ",1,1", "f32", "constant scale"),
          Parameter("%b", "1," + channels + ",1,1", "f32", "constant bias"),
          Parameter("%w", "16," + channels + ",3,3", "i8", "constant_small"),
          "%m = Multiply-1(%x, %k) ", kAttributes, "\n%a = Add-1(%m, %b) ",
          kAttributes,
          "\n%il = Constant-0() {value: f32[] {-3}}\n"
          "%ih = Constant-0() {value: f32[] {2.5}}\n"
          "%ol = Constant-0() {value: f32[] {",
          low, "}}\n%oh = Constant-0() {value: f32[] {", high,
          "}}\n%q = FakeQuantize-0(%a, %il, %ih, %ol, %oh) "
          "{levels: 256, auto_broadcast: numpy}\n%i = Convert-0(%q) "
          "{destination_type: ",
          type, "}\n%f = Convert-0(%i) {destination_type: f32}\n",
          "%z = Constant-0() {value: f32[] {9}}\n%d = Subtract-1(%f, %z) ",
          kAttributes, "\n%wf = Convert-0(%w) {destination_type: f32}\n",
          "%c = Convolution-1(%d, %wf) {", Window(2, 2, 1, 1, 1),
          "}\n%y = Relu-0(%c) {}\n%r = Result-0(%y) {}\n");
      const Compared compared = Compare(model);
      // A value next to a tie may go either way.
      EXPECT_LT(compared.error, 0.01) << model << compared.message;
      if (!HasDotLanes()) continue;
      EXPECT_EQ(compared.steps, "Convolution+5");
      EXPECT_EQ(compared.KernelOf("Convolution"), "few_channels_int8");
    }
  }
}

// The residual is rounded to a grid, added to bytes that are dequantized, and
// the sum quantized: nothing is left for other steps.
TEST(IntegerConvolutionTest, AddsBytesToARoundedResult) {
  const std::string after =
      absl::StrCat(Parameter("%o", "1,16,9,10", "u8"),
                   "%gl = Constant-0() {value: f32[] {-40000}}\n"
                   "%gh = Constant-0() {value: f32[] {40000}}\n"
                   "%g = FakeQuantize-0(%n, %gl, %gh, %gl, %gh) "
                   "{levels: 256, auto_broadcast: numpy}\n"
                   "%of = Convert-0(%o) {destination_type: f32}\n"
                   "%os = Constant-0() {value: f32[] {100}}\n"
                   "%od = Multiply-1(%of, %os) ",
                   kAttributes, "\n%sum = Add-1(%g, %od) ", kAttributes, "\n",
                   absl::StrReplaceAll(kToBytes, {{"(%n,", "(%sum,"}}));
  for (const std::string shape : {"16,16,3,3", "16,16,1,1", "16,1,1,3,3"}) {
    const std::string model =
        IntegerModel({"u8", "", "constant_small", after, shape});
    const Compared compared = Compare(model);
    // A level of the grid makes three of the bytes, which reach 75 at least.
    EXPECT_LE(compared.error, 3.01 / 75) << model << compared.message;
    if (!HasDotProducts() && HasAvx512()) continue;  // in floats
    EXPECT_TRUE(absl::EndsWith(compared.steps, "Convolution+7"))
        << compared.steps << " by " << compared.plan->steps.front().kernel;
  }
}

// Limits are those of the integers, of other types and fewer levels, too.
TEST(IntegerConvolutionTest, LimitsBytes) {
  for (const std::string limit :
       {"Relu-0(%n) {}", "Clamp-0(%n) {min: -5000, max: 9000}",
        "Clamp-0(%n) {min: 3000, max: 1e9}"}) {
    for (const auto& [levels, low, high, type] :
         {std::tuple("256", "0", "255", "u8"),
          std::tuple("16", "0", "15", "u8"),
          std::tuple("256", "-128", "127", "i8"),
          std::tuple("255", "-127", "127", "i8")}) {
      const std::string after = absl::StrReplaceAll(
          absl::StrCat("%l = ", limit, "\n", kToBytes),
          {{"(%n, %il", "(%l, %il"},
           {"{0}}\n%oh", absl::StrCat("{", low, "}}\n%oh")},
           {"{255}", absl::StrCat("{", high, "}")},
           {"levels: 256", absl::StrCat("levels: ", levels)},
           {"type: u8}\n", absl::StrCat("type: ", type, "}\n")}});
      const std::string model =
          IntegerModel({"u8", "", "constant_small", after});
      const Compared compared = Compare(model);
      const double step = std::string(levels) == "16" ? 1 / 15.0 : 1 / 127.0;
      EXPECT_LE(compared.error, 1.01 * step) << model << compared.message;
    }
  }
}

// A value next to a tie may go either way.
TEST(IntegerConvolutionTest, WritesBytes) {
  for (const std::string shape : {"16,16,3,3", "16,16,1,1", "16,1,1,3,3"}) {
    const std::string model =
        IntegerModel({"u8", "", "constant_small", kToBytes, shape});
    const Compared compared = Compare(model);
    EXPECT_LE(compared.error, 1.01 / 255) << model << compared.message;
    EXPECT_TRUE(absl::EndsWith(compared.steps, "+3"))
        << compared.steps << " by " << compared.plan->steps.front().kernel;
  }
}

}  // namespace
}  // namespace dovetail::cpu
