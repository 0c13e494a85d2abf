#include "dovetail/backends/gpu/steps/epilogue/product_epilogue.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/substitute.h"
#include "dovetail/backends/gpu/testing/compare_plans.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail::gpu {
namespace {

using ::testing::MatchesRegex;

// Elements of a work item.
class ProductEpilogueTest : public testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    if (!HasClDevice()) GTEST_SKIP() << "no OpenCL device";
  }

  // Of statements that make %y of the product %m.
  void Check(const std::string& epilogue) {
    const std::string model = absl::StrCat(R"(
        %a = Parameter-0() {shape: [2,21,16], element_type: f32}
        %b = Parameter-0() {shape: [16,44], element_type: f32}  # constant
        %bias = Parameter-0() {shape: [44], element_type: f32}  # constant
        %other = Parameter-0() {shape: [2,21,44], element_type: f32}
        %half = Constant-0() {value: f32[] {0.5}}
        %third = Constant-0() {value: f32[1] {0.3}}
        %m = MatMul-0(%a, %b) {transpose_a: false, transpose_b: false}
        )",
                                           epilogue, "%r = Result-0(%y) {}\n");
    const ComparedPlan compared = ComparePlan(model, GetParam());
    EXPECT_EQ(compared.message, "") << model;
    EXPECT_EQ(compared.kernels, "matmul_f32") << model;
  }
};
INSTANTIATE_TEST_SUITE_P(Lanes, ProductEpilogueTest, testing::Values(16, 4, 1));

TEST_P(ProductEpilogueTest, BiasResidualAndLimits) {
  Check("%y = Add-1(%m, %bias) {}\n");
  Check("%1 = Add-1(%m, %bias) {}\n%y = Relu-0(%1) {}\n");
  Check("%1 = Add-1(%m, %bias) {}\n%y = Clamp-0(%1) {min: -0.3, max: 0.4}\n");
  Check("%1 = Add-1(%m, %bias) {}\n%y = Add-1(%1, %other) {}\n");
  Check(
      "%1 = Add-1(%m, %bias) {}\n%2 = Add-1(%1, %other) {}\n"
      "%y = Relu-0(%2) {}\n");
}

TEST_P(ProductEpilogueTest, OtherOrders) {
  Check("%1 = Relu-0(%m) {}\n%y = Add-1(%1, %bias) {}\n");
  Check(
      "%1 = Add-1(%m, %bias) {}\n%2 = Relu-0(%1) {}\n"
      "%y = Multiply-1(%2, %other) {}\n");
  Check(
      "%1 = Multiply-1(%m, %bias) {}\n%2 = Add-1(%1, %bias) {}\n"
      "%3 = Maximum-1(%2, %bias) {}\n%y = PRelu-0(%3, %third) {}\n");
}

// Statements that make %y of the product %m, which is exact: values next to
// ties would fall to either side.
std::string QuantizedModel(const std::string& epilogue) {
  std::vector<std::string> weights, low, high;
  for (int i = 0; i < 16 * 44; ++i) {
    weights.push_back(absl::StrCat((i * 7 % 17 - 8) / 8.0));
  }
  for (int i = 0; i < 44; ++i) {
    low.push_back(absl::StrCat(-1 - i * 0.1));
    high.push_back(absl::StrCat(2 + i * 0.2));
  }
  return absl::Substitute(
      R"(
      %raw = Parameter-0() {shape: [2,21,16], element_type: i8}
      %a = Convert-0(%raw) {destination_type: f32}
      %b = Constant-0() {value: f32[16,44] {$0}}
      %lows = Constant-0() {value: f32[44] {$1}}
      %highs = Constant-0() {value: f32[1,1,44] {$2}}
      %bias = Parameter-0() {shape: [44], element_type: f32}  # constant
      %other = Parameter-0() {shape: [2,21,44], element_type: f32}
      %low = Constant-0() {value: f32[] {-1.28}}
      %high = Constant-0() {value: f32[1] {2.55}}
      %m = MatMul-0(%a, %b) {transpose_a: false, transpose_b: false}
      $3%r = Result-0(%y) {}
      )",
      absl::StrJoin(weights, ", "), absl::StrJoin(low, ", "),
      absl::StrJoin(high, ", "), epilogue);
}

// One range for all channels, or one each; behind a bias or alone; and what
// follows.
TEST_P(ProductEpilogueTest, Quantization) {
  for (const std::string epilogue :
       {"%y = FakeQuantize-0(%m, %low, %high, %low, %high) {levels: 256, "
        "auto_broadcast: numpy}\n",
        "%1 = Add-1(%m, %bias) {}\n%2 = Add-1(%1, %other) {}\n"
        "%3 = Relu-0(%2) {}\n"
        "%y = FakeQuantize-0(%3, %low, %high, %lows, %highs) {levels: 255, "
        "auto_broadcast: numpy}\n",
        "%1 = Add-1(%m, %bias) {}\n"
        "%y = FakeQuantize-0(%1, %lows, %highs, %low, %high) {levels: 16, "
        "auto_broadcast: numpy}\n",
        "%1 = FakeQuantize-0(%m, %low, %high, %high, %low) {levels: 16, "
        "auto_broadcast: numpy}\n%y = Multiply-1(%1, %other) {}\n"}) {
    const std::string model = QuantizedModel(epilogue);
    const ComparedPlan compared = ComparePlan(model, GetParam());
    EXPECT_EQ(compared.message, "") << model;
    EXPECT_THAT(compared.kernels, MatchesRegex("[a-z0-9_]+, matmul_f32"))
        << model;
  }
}

TEST_P(ProductEpilogueTest, FunctionsWithNumbers) {
  Check("%1 = Elu-0(%m) {alpha: 0.7}\n%y = Clamp-0(%1) {min: -0.2, max: 3}\n");
  Check("%y = HardSigmoid-0(%m, %third, %half) {}\n");
  Check("%y = Selu-0(%m, %half, %third) {}\n");
  Check("%1 = Swish-4(%m, %half) {}\n%y = Gelu-7(%1) {}\n");
}

}  // namespace
}  // namespace dovetail::gpu
