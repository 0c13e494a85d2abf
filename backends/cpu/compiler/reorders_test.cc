// Where plans of the CPU copy values from one layout to another. Which layouts
// convolutions have depends on the instructions.
#include <string>

#include "absl/strings/string_view.h"
#include "dovetail/backends/cpu/testing/compare.h"
#include "gtest/gtest.h"

namespace dovetail::cpu {
namespace {

const PlannedStep* StepOf(const Compared& compared, absl::string_view type) {
  if (compared.plan == nullptr) return nullptr;
  for (const PlannedStep& step : compared.plan->steps) {
    if (step.type == type) return &step;
  }
  return nullptr;
}

constexpr char kConvolution[] = R"(
  %x = Parameter-0() {shape: [1,16,9,9], element_type: f32}
  %w = Parameter-0() {shape: [24,16,3,3], element_type: f32}  # constant
  %c = Convolution-1(%x, %w) {strides: [1,1], pads_begin: [1,1], pads_end: [1,1], dilations: [1,1], auto_pad: explicit}  # c
)";

// What an Interpolate makes larger is planar before, as the result is.
TEST(ReordersTest, AreBeforeAValueGrows) {
  const Compared compared = Compare(std::string(kConvolution) + R"(
    %s = Constant-0() {value: i64[2] {72, 72}}
    %a = Constant-0() {value: i64[2] {2, 3}}
    %i = Interpolate-11(%c, %s, %a) {mode: linear_onnx, shape_calculation_mode: sizes, coordinate_transformation_mode: half_pixel, nearest_mode: floor, antialias: false, pads_begin: [], pads_end: [], cube_coeff: -0.75}  # i
    %0 = Result-0(%i) {}
  )");
  EXPECT_LT(compared.error, 1e-5) << compared.message;
  const PlannedStep* const step = StepOf(compared, "Interpolate");
  ASSERT_NE(step, nullptr) << compared.steps;
  EXPECT_EQ(step->stored[0].format.layout, Layout::kPlanar);
  // Of the input and of the convolution's result, at most.
  EXPECT_LE(compared.reorders, 2);
}

// Rather one copy of what a convolution makes than one of each result.
TEST(ReordersTest, IsOneForSeveralResults) {
  const Compared compared = Compare(std::string(kConvolution) + R"(
    %e = Sigmoid-0(%c) {}  # e
    %r = Tanh-0(%c) {}  # r
    %n = Abs-0(%c) {}  # n
    %0 = Result-0(%e) {}
    %1 = Result-0(%r) {}
    %2 = Result-0(%n) {}
  )");
  EXPECT_LT(compared.error, 1e-5) << compared.message;
  EXPECT_LE(compared.reorders, 2) << compared.steps;
}

}  // namespace
}  // namespace dovetail::cpu
