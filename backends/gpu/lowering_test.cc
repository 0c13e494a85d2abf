#include "dovetail/backends/gpu/lowering.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/substitute.h"
#include "dovetail/testing/graphs/random_model.h"
#include "dovetail/transformations/low_precision/weights/compressed_convolution.h"
#include "dovetail/transformations/low_precision/weights/compressed_weights.h"
#include "gtest/gtest.h"

namespace dovetail::gpu {
namespace {

// Operations of the lowered model with an input of that type.
std::vector<std::string> ReadersOf(ElementType type, const Model& model) {
  std::vector<std::string> readers;
  for (const auto& node : model.nodes()) {
    if (node->is_needed() && node->input_count() > 0 &&
        node->input(0).type() == type) {
      readers.push_back(std::string(node->op().type));
    }
  }
  return readers;
}

Model Lowered(absl::string_view text) {
  Model model = ParseWithConstants(text).value();
  const absl::Status status = LowerForGpu(model, Config(), CustomKernels({}));
  EXPECT_TRUE(status.ok()) << status;
  return model;
}

TEST(LowerForGpuTest, WeightsOfProductsStayCompressed) {
  const Model model = Lowered(R"(
    %x = Parameter-0() {shape: [1,64], element_type: f32}
    %q = Parameter-0() {shape: [8,4,16], element_type: u4}  # constant
    %c = Convert-0(%q) {destination_type: f16}
    %s = Parameter-0() {shape: [8,4,1], element_type: f16}  # constant
    %m = Multiply-1(%c, %s) {}
    %t = Constant-0() {value: i64[2] {8, 64}}
    %v = Reshape-1(%m, %t) {special_zero: false}
    %w = Convert-0(%v) {destination_type: f32}
    %y = MatMul-0(%x, %w) {transpose_a: false, transpose_b: true}
    %r = Result-0(%y) {}
  )");
  const Node& matmul = *model.results()[0]->input(0).node;
  const auto weights = MatchCompressedWeights(matmul);
  ASSERT_TRUE(weights.has_value());
  EXPECT_EQ(weights->constant.type(), ElementType::kU4);
}

TEST(LowerForGpuTest, CodeBooksBecomeFloats) {
  const Model model = Lowered(R"(
    %x = Parameter-0() {shape: [1,64], element_type: f32}
    %q = Parameter-0() {shape: [8,64], element_type: nf4}  # constant
    %c = Convert-0(%q) {destination_type: f32}
    %s = Parameter-0() {shape: [8,1], element_type: f32}  # constant
    %w = Multiply-1(%c, %s) {}
    %y = MatMul-0(%x, %w) {transpose_a: false, transpose_b: true}
    %r = Result-0(%y) {}
  )");
  EXPECT_EQ(model.results()[0]->input(0).node->input(1).type(),
            ElementType::kF32);
  EXPECT_TRUE(ReadersOf(ElementType::kNf4, model).empty());
}

// Whether codes and scales, of floats of `type`, of so many channels stay.
bool ConvolutionKeepsCodes(int channels, const std::string& type) {
  const Model model = Lowered(absl::Substitute(R"(
    %x = Parameter-0() {shape: [1,$0,9,9], element_type: f32}
    %q = Parameter-0() {shape: [$0,$0,3,3], element_type: i8}  # constant
    %c = Convert-0(%q) {destination_type: $1}
    %s = Parameter-0() {shape: [$0,1,1,1], element_type: $1}  # constant
    %m = Multiply-1(%c, %s) {}
    %w = Convert-0(%m) {destination_type: f32}
    %y = Convolution-1(%x, %w) {strides: [1,1], dilations: [1,1], pads_begin: [1,1], pads_end: [1,1], auto_pad: explicit}
    %r = Result-0(%y) {}
  )",
                                               channels, type));
  const Node& convolution = *model.results()[0]->input(0).node;
  return MatchCompressedConvolution(convolution).has_value();
}

TEST(LowerForGpuTest, WeightsOfLargeConvolutionsStayCompressed) {
  EXPECT_TRUE(ConvolutionKeepsCodes(64, "f32"));
  EXPECT_FALSE(ConvolutionKeepsCodes(16, "f32"));
  EXPECT_FALSE(ConvolutionKeepsCodes(64, "f16"));
}

TEST(LowerForGpuTest, TablesOfWholeBytesStayCompressed) {
  for (const auto& [type, readers] :
       {std::pair<std::string, std::vector<std::string>>{"u8",
                                                         {"Gather", "Convert"}},
        {"u4", {}}}) {
    const Model model = Lowered(absl::Substitute(R"(
      %i = Parameter-0() {shape: [3], element_type: i64}
      %q = Parameter-0() {shape: [10,16], element_type: $0}  # constant
      %c = Convert-0(%q) {destination_type: f32}
      %s = Parameter-0() {shape: [10,1], element_type: f32}  # constant
      %m = Multiply-1(%c, %s) {}
      %a = Constant-0() {value: i64[1] {0}}
      %y = Gather-8(%m, %i, %a) {batch_dims: 0}
      %r = Result-0(%y) {}
    )",
                                                 type));
    const ElementType stored =
        type == "u8" ? ElementType::kU8 : ElementType::kU4;
    EXPECT_EQ(ReadersOf(stored, model), readers) << type;
  }
}

}  // namespace
}  // namespace dovetail::gpu
