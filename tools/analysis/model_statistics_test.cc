#include "dovetail/tools/analysis/model_statistics.h"

#include <gtest/gtest.h>

#include "dovetail/core/ops/text/parse.h"

namespace dovetail::cli {
namespace {

Model Parse(absl::string_view text) {
  absl::StatusOr<Model> model = ParseModelText(text);
  EXPECT_TRUE(model.ok()) << model.status();
  return *std::move(model);
}

std::optional<int64_t> MacsOf(const Model& model) {
  return CollectStatistics(model)->macs;
}

TEST(ModelStatisticsTest, AConvolutionMultipliesEachOutputByItsWeights) {
  // 4x6x6 outputs, each of 3x3x3 weights.
  const Model model = Parse(R"(
    %x = Parameter-0() {shape: [1,3,8,8], element_type: f32}
    %w = Parameter-0() {shape: [4,3,3,3], element_type: f32}
    %c = Convolution-1(%x, %w) {strides: [1,1]}
    %r = Result-0(%c) {})");
  EXPECT_EQ(MacsOf(model), 4 * 6 * 6 * 27);
}

TEST(ModelStatisticsTest, AGroupConvolutionCountsTheWeightsOfOneGroup) {
  const Model model = Parse(R"(
    %x = Parameter-0() {shape: [1,4,8,8], element_type: f32}
    %w = Parameter-0() {shape: [4,1,1,3,3], element_type: f32}
    %c = GroupConvolution-1(%x, %w) {pads_begin: [1,1], pads_end: [1,1]}
    %r = Result-0(%c) {})");
  EXPECT_EQ(MacsOf(model), 4 * 8 * 8 * 9);
}

TEST(ModelStatisticsTest, ATransposedConvolutionCountsInputs) {
  const Model model = Parse(R"(
    %x = Parameter-0() {shape: [1,4,5,5], element_type: f32}
    %w = Parameter-0() {shape: [4,2,2,2], element_type: f32}
    %c = ConvolutionBackpropData-1(%x, %w) {strides: [2,2]}
    %r = Result-0(%c) {})");
  EXPECT_EQ(MacsOf(model), 4 * 5 * 5 * 2 * 2 * 2);
}

TEST(ModelStatisticsTest, AMatMulMultipliesEachOutputByTheInnerExtent) {
  const Model plain = Parse(R"(
    %a = Parameter-0() {shape: [2,3,4], element_type: f32}
    %b = Parameter-0() {shape: [4,5], element_type: f32}
    %m = MatMul-0(%a, %b) {}
    %r = Result-0(%m) {})");
  EXPECT_EQ(MacsOf(plain), 2 * 3 * 5 * 4);
  const Model transposed = Parse(R"(
    %a = Parameter-0() {shape: [4,3], element_type: f32}
    %b = Parameter-0() {shape: [4,5], element_type: f32}
    %m = MatMul-0(%a, %b) {transpose_a: true}
    %r = Result-0(%m) {})");
  EXPECT_EQ(MacsOf(transposed), 3 * 5 * 4);
}

TEST(ModelStatisticsTest, NothingIsSaidWhereShapesAreNotKnown) {
  const Model model = Parse(R"(
    %a = Parameter-0() {shape: [?,4], element_type: f32}
    %b = Parameter-0() {shape: [4,5], element_type: f32}
    %m = MatMul-0(%a, %b) {}
    %r = Result-0(%m) {})");
  const auto statistics = CollectStatistics(model);
  ASSERT_TRUE(statistics.ok()) << statistics.status();
  EXPECT_EQ(statistics->macs, std::nullopt);
  EXPECT_EQ(statistics->peak_bytes, std::nullopt);
  EXPECT_EQ(statistics->operations.at("MatMul-0"), 1);
  EXPECT_EQ(statistics->operations.at("Parameter-0"), 2);
}

TEST(ModelStatisticsTest, ATensorIsFreedAfterItsLastUse) {
  // x (400 bytes) lives up to Add; a and b do with it: three at most.
  const Model model = Parse(R"(
    %x = Parameter-0() {shape: [100], element_type: f32}
    %a = Abs-0(%x) {}
    %b = Exp-0(%a) {}
    %c = Add-1(%b, %x) {}
    %d = Abs-0(%c) {}
    %r = Result-0(%d) {})");
  EXPECT_EQ(CollectStatistics(model)->peak_bytes, 3 * 400);
}

TEST(ModelStatisticsTest, SmallIntegerConstantsAreNoParameters) {
  const Model model = Parse(R"(
    %x = Parameter-0() {shape: [2], element_type: f32}
    %w = Constant-0() {value: f32[2]{1,2}}
    %a = Constant-0() {value: i64[1]{0}}
    %m = Add-1(%x, %w) {}
    %u = Unsqueeze-0(%m, %a) {}
    %r = Result-0(%u) {})");
  const auto statistics = CollectStatistics(model);
  ASSERT_TRUE(statistics.ok()) << statistics.status();
  EXPECT_EQ(statistics->parameters, 2);
  EXPECT_EQ(statistics->constant_bytes, 2 * 4 + 8);
  EXPECT_EQ(statistics->macs, 0);
}

}  // namespace
}  // namespace dovetail::cli
