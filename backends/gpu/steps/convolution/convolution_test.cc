#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/substitute.h"
#include "dovetail/backends/gpu/testing/coded_weights.h"
#include "dovetail/backends/gpu/testing/compare_plans.h"
#include "dovetail/backends/gpu/testing/plan_test.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail::gpu {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

struct Case {
  std::string type, data, weights, window, kernel;
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

class ConvolutionTest : public PlanTest {
 protected:
  void Check(const Case& c) {
    const std::string model = absl::Substitute(
        R"(
      %0 = Parameter-0() {shape: [$0], element_type: f32}
      %w = Parameter-0() {shape: [$1], element_type: f32}  # constant
      %1 = $2-1(%0, %w) {$3}
      %2 = Relu-0(%1) {}
      %3 = Result-0(%2) {}
      )",
        c.data, c.weights, c.type, c.window);
    ExpectPlan(model, HasSubstr(c.kernel));
  }
};

constexpr char kDirect[] = "convolution_direct_f32";
constexpr char kPlanar[] = "convolution_planar_f32";
constexpr char kTransposed[] = "convolution_transposed_f32";
constexpr char kDepthwise[] = "convolution_depthwise_f32";
constexpr char kGeneral[] = "convolution_general_f32";

TEST_F(ConvolutionTest, DenseOnes) {
  const std::string window = Window(2, 1, 1, 1, 1);
  Check({"Convolution", "1,32,15,17", "64,32,3,3", window, kDirect});
  Check({"Convolution", "2,20,9,30", "40,20,3,3", window, kDirect});
  Check({"Convolution", "1,16,7,7", "70,16,3,3", window, kDirect});
  Check({"Convolution", "1,16,5,3", "16,16,3,3", window, kDirect});
  Check(
      {"Convolution", "1,3,19,29", "32,3,3,3", Window(2, 2, 1, 1, 0), kDirect});
  Check({"Convolution", "1,17,20,21", "5,17,3,2", Window(2, 2, 2, 2, 1),
         kDirect});
  Check({"Convolution", "1,32,14,14", "48,32,1,1", Window(2, 1, 1, 0, 0),
         kDirect});
  Check({"Convolution", "3,32,1,1", "100,32,1,1", Window(2, 1, 1, 0, 0),
         kDirect});
  Check({"Convolution", "1,32,13,13", "16,32,1,1", Window(2, 2, 1, 0, 0),
         kDirect});
}

TEST_F(ConvolutionTest, DataThatNoCacheHolds) {
  Check({"Convolution", "1,64,130,135", "40,64,1,1", Window(2, 1, 1, 0, 0),
         kDirect});
}

TEST_F(ConvolutionTest, FewChannelsStayPlanar) {
  const std::string window = Window(2, 1, 1, 1, 1);
  Check({"Convolution", "1,1,9,70", "4,1,3,3", window, kPlanar});
  Check({"Convolution", "2,3,5,16", "1,3,3,3", window, kPlanar});
  Check(
      {"Convolution", "1,20,6,33", "7,20,3,5", Window(2, 1, 2, 2, 4), kPlanar});
  Check({"Convolution", "1,2,3,4,50", "5,2,2,2,2", Window(3, 1, 1, 1, 0),
         kPlanar});
  Check({"Convolution", "1,3,4,21", "2,3,1,1", Window(2, 1, 1, 0, 0), kPlanar});
  Check({"ConvolutionBackpropData", "1,36,7,20", "36,4,3,3",
         Window(2, 3, 1, 0, 0), kTransposed});
  Check({"ConvolutionBackpropData", "2,3,6,18", "3,2,4,4",
         Window(2, 2, 1, 1, 1), kTransposed});
}

TEST_F(ConvolutionTest, OneAndThreeAxes) {
  Check({"Convolution", "2,24,50", "33,24,5", Window(1, 1, 2, 4, 4), kDirect});
  Check({"Convolution", "1,16,6,7,15", "32,16,3,3,3", Window(3, 1, 1, 1, 1),
         kDirect});
  Check({"Convolution", "1,2,6,7,9", "32,2,2,3,3", Window(3, 2, 1, 1, 2),
         kDirect});
}

TEST_F(ConvolutionTest, Groups) {
  const std::string window = Window(2, 1, 1, 1, 1);
  Check({"GroupConvolution", "1,64,9,15", "2,48,32,3,3", window, kDirect});
  // Merged to blocks of 16, and to what is left of one.
  Check({"GroupConvolution", "1,32,9,15", "8,4,4,3,3", window, kDirect});
  Check({"GroupConvolution", "1,24,9,15", "6,4,4,3,3", window, kDirect});
  Check({"GroupConvolution", "1,32,9,15", "16,4,2,3,3", window, kDirect});
  Check({"GroupConvolution", "2,9,7,8", "3,2,3,3,3", window, kGeneral});
}

TEST_F(ConvolutionTest, OfOneGroupTakesNothingOfAnother) {
  // Two channels of infinities among groups that are merged.
  for (const char* weights : {"8,4,4,3,3", "16,4,2,3,3", "4,4,8,3,3"}) {
    const std::string model = absl::Substitute(
        R"(
      %0 = Parameter-0() {shape: [1,32,9,15], element_type: f32}
      %i = Constant-0() {value: f32[32,1,1] {1,1,1,1,1,0,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,0,1,1,1,1,1,1,1}}
      %x = Divide-1(%0, %i) {m_pythondiv: false}
      %w = Parameter-0() {shape: [$0], element_type: f32}  # constant
      %1 = GroupConvolution-1(%x, %w) {$1}
      %3 = Result-0(%1) {}
      )",
        weights, Window(2, 1, 1, 1, 1));
    ExpectPlan(model, HasSubstr(kDirect));
  }
}

TEST_F(ConvolutionTest, Depthwise) {
  Check({"GroupConvolution", "1,40,20,29", "40,1,1,3,3", Window(2, 1, 1, 1, 1),
         kDepthwise});
  Check({"GroupConvolution", "2,16,11,14", "16,1,1,5,5", Window(2, 2, 1, 2, 2),
         kDepthwise});
  Check({"GroupConvolution", "1,16,9,3", "16,1,1,3,3", Window(2, 1, 2, 2, 2),
         kDepthwise});
  Check({"GroupConvolution", "1,20,33", "20,1,1,4", Window(1, 1, 1, 3, 0),
         kDepthwise});
}

TEST_F(ConvolutionTest, Transposed) {
  const std::string type = "ConvolutionBackpropData";
  Check({type, "1,32,7,9", "32,20,2,2", Window(2, 2, 1, 0, 0), kTransposed});
  Check({type, "2,16,8,8", "16,16,4,4", Window(2, 2, 1, 1, 1), kTransposed});
  Check({type, "1,16,8,8", "16,16,3,3", Window(2, 2, 2, 1, 0), kTransposed});
  Check({type, "1,16,8,8", "16,16,1,1", Window(2, 2, 1, 0, 0), kTransposed});
  Check({type, "1,16,4,5,6", "16,8,3,3,3", Window(3, 2, 1, 1, 1), kTransposed});
  Check({type, "1,16,9", "16,8,12", Window(1, 5, 1, 0, 3), kTransposed});
  Check({"GroupConvolutionBackpropData", "1,32,8,8", "2,16,16,3,3",
         Window(2, 2, 1, 1, 1), kTransposed});
  Check({"GroupConvolutionBackpropData", "1,18,8,8", "6,3,2,3,3",
         Window(2, 3, 1, 1, 1), kGeneral});
  Check({type, "1,4,3,4", "4,3,5,5", Window(2, 7, 1, 0, 0), kGeneral});
}

struct Coded {
  CodedWeights weights;
  std::string data, kernel;
  std::string operation = "Convolution";
  int stride = 1;
};

std::string ByCodes(const Coded& c) {
  return ModelWithCodedWeights(
      c.data, c.weights,
      absl::Substitute("%y = $0-1(%x, %w) {$1}", c.operation,
                       Window(2, c.stride, 1, 1, 1)));
}

class CodedTest : public PlanTest {
 protected:
  void Check(const Coded& c) {
    // Nothing runs for the weights.
    ExpectPlan(ByCodes(c),
               AllOf(HasSubstr(c.kernel), Not(HasSubstr("elementwise"))));
  }
};

TEST_F(CodedTest, WeightsStayBytes) {
  Check({{"i8", "48,32,3,3", "48,1,1,1", ""}, "1,32,7,7", "direct_i8"});
  Check({{"i8", "40,20,3,3", "1", ""}, "1,20,5,6", "direct_i8"});
  Check({{"u8", "48,32,3,3", "48,1,1,1", "48,1,1,1"}, "1,32,7,7", "direct_u8"});
  Check({{"u8", "33,17,3,3", "33,1,1,1", "1"}, "1,17,7,7", "direct_u8"});
  Check({{"i4", "16,16,3,3", "16,1,1,1", ""}, "1,16,7,7", "direct_i8"});
}

TEST_F(CodedTest, TransposedOnesToo) {
  Check({{"i8", "32,20,4,4", "1,20,1,1", ""},
         "1,32,7,7",
         "transposed_i8",
         "ConvolutionBackpropData",
         2});
  Check({{"u8", "32,20,4,4", "1,20,1,1", "1,20,1,1"},
         "1,32,7,7",
         "transposed_u8",
         "ConvolutionBackpropData",
         2});
}

TEST_F(CodedTest, OfAnotherFormBecomeFloatsOnce) {
  // Scales of input channels, and results of few channels.
  Check({{"i8", "48,32,3,3", "1,32,1,1", ""}, "1,32,7,7", "direct_f32"});
  Check({{"i8", "4,3,3,3", "4,1,1,1", ""}, "1,3,9,70", "planar_f32"});
}

TEST_F(CodedTest, BecomeFloatsWhereProcessorsReadThemOften) {
  const ComparedPlan compared = ComparePlan(
      ByCodes({{"i8", "48,32,3,3", "48,1,1,1", ""}, "1,32,40,40", ""}));
  EXPECT_EQ(compared.message, "");
  EXPECT_THAT(compared.kernels, HasSubstr(kDirect));
}

TEST_F(CodedTest, ComputeWithHalfFloats) {
  const ComparedPlan compared = CompareHalfPlan(
      ByCodes({{"u8", "48,32,3,3", "48,1,1,1", "48,1,1,1"}, "1,32,7,7", ""}),
      16, 2e-3);
  EXPECT_EQ(compared.message, "");
  EXPECT_THAT(compared.kernels, HasSubstr("direct_u8"));
}

TEST_F(ConvolutionTest, OfBitsCountsElementsAroundTheInput) {
  for (const char* pad : {"-1", "0", "1"}) {
    const ComparedPlan compared = ComparePlan(absl::StrCat(R"(
      %0 = Parameter-0() {shape: [2,3,5,6], element_type: f32}
      %w = Constant-0() {value: u1[2,3,2,1] {0,1,1,1,0,0,1,0,1,1,0,1}}
      %1 = BinaryConvolution-1(%0, %w) {strides: [2,1], dilations: [2,1], pads_begin: [1,2], pads_end: [2,0], auto_pad: explicit, mode: xnor-popcount, pad_value: )",
                                                           pad, R"(}
      %2 = Result-0(%1) {}
      )"));
    EXPECT_EQ(compared.message, "") << pad;
    EXPECT_EQ(compared.kernels, "binary_convolution_f32");
  }
}

TEST_F(ConvolutionTest, HasAnEpilogue) {
  const ComparedPlan compared = ComparePlan(R"(
      %0 = Parameter-0() {shape: [1,24,9,16], element_type: f32}
      %w = Parameter-0() {shape: [40,24,3,3], element_type: f32}  # constant
      %b = Parameter-0() {shape: [1,40,1,1], element_type: f32}  # constant
      %s = Parameter-0() {shape: [1,40,1,1], element_type: f32}  # constant
      %p = Parameter-0() {shape: [40], element_type: f32}  # constant
      %r = Parameter-0() {shape: [1,40,9,16], element_type: f32}
      %1 = Convolution-1(%0, %w) {strides: [1,1], dilations: [1,1], pads_begin: [1,1], pads_end: [1,1], auto_pad: explicit}
      %2 = Multiply-1(%1, %s) {}
      %3 = Add-1(%2, %b) {}
      %4 = Add-1(%r, %3) {}
      %5 = PRelu-0(%4, %p) {}
      %6 = Clamp-0(%5) {min: 0.5, max: 6}
      %7 = Result-0(%6) {}
      )");
  EXPECT_EQ(compared.message, "");
  EXPECT_EQ(compared.kernels,
            "reorder, pad_f32, reorder, convolution_direct_f32, reorder");
}

}  // namespace
}  // namespace dovetail::gpu
