// One constant that two layers use in two shapes, the second through a Reshape
// that is folded to a view of the same memory: each layer has to get a packed
// form of its own.
#include "absl/strings/substitute.h"
#include "dovetail/backends/cpu/testing/network.h"
#include "gtest/gtest.h"

namespace dovetail::cpu {
namespace {

// Convolutions of $0 and $1 with weights of $2 and, of the same numbers, $3.
std::string TwoConvolutions(absl::string_view operation,
                            absl::string_view first_data,
                            absl::string_view second_data,
                            absl::string_view first_shape,
                            absl::string_view second_shape, int stride) {
  const int rank = 4;
  return absl::Substitute(
      R"(
    %a = Parameter-0() {shape: [$1], element_type: f32}
    %b = Parameter-0() {shape: [$2], element_type: f32}
    %w = Parameter-0() {shape: [$3], element_type: f32}  # constant
    %shape = Constant-0() {value: i64[$6] {$4}}
    %v = Reshape-1(%w, %shape) {special_zero: false}
    %c = $0(%a, %w) {strides: [$5,$5], pads_begin: [0,0], pads_end: [0,0], dilations: [1,1]}
    %d = $0(%b, %v) {strides: [$5,$5], pads_begin: [0,0], pads_end: [0,0], dilations: [1,1]}
    %rc = Result-0(%c) {}
    %rd = Result-0(%d) {}
  )",
      operation, first_data, second_data, first_shape, second_shape, stride,
      rank);
}

void ExpectBothRight(const std::string& text,
                     const std::vector<Shape>& inputs) {
  const Network network(text, {{"INFERENCE_NUM_THREADS", "2"}});
  const auto request = network.NewRequest();
  ASSERT_NE(request, nullptr);
  EXPECT_EQ(network.Check(*request, network.Inputs(inputs)), "");
}

TEST(PackingTest, WinogradTellsShapesApart) {
  ExpectBothRight(TwoConvolutions("Convolution-1", "1,32,58,58", "1,64,58,58",
                                  "64,32,3,3", "32,64,3,3", 1),
                  {{1, 32, 58, 58}, {1, 64, 58, 58}});
}

TEST(PackingTest, FewChannelsTellShapesApart) {
  ExpectBothRight(TwoConvolutions("Convolution-1", "1,1,32,32", "1,3,32,32",
                                  "48,1,3,3", "16,3,3,3", 2),
                  {{1, 1, 32, 32}, {1, 3, 32, 32}});
}

TEST(PackingTest, PixelTilesTellShapesApart) {
  ExpectBothRight(TwoConvolutions("ConvolutionBackpropData-1", "1,8,16,16",
                                  "1,4,16,16", "8,2,2,2", "4,4,2,2", 2),
                  {{1, 8, 16, 16}, {1, 4, 16, 16}});
}

TEST(PackingTest, PrimitivesTellShapesApart) {
  ExpectBothRight(TwoConvolutions("Convolution-1", "1,32,9,9", "1,64,9,9",
                                  "64,32,5,5", "32,64,5,5", 2),
                  {{1, 32, 9, 9}, {1, 64, 9, 9}});
}

TEST(PackingTest, MatrixProductsTellShapesApart) {
  ExpectBothRight(R"(
    %a = Parameter-0() {shape: [8,48], element_type: f32}
    %b = Parameter-0() {shape: [8,64], element_type: f32}
    %w = Parameter-0() {shape: [48,64], element_type: f32}  # constant
    %shape = Constant-0() {value: i64[2] {64,48}}
    %v = Reshape-1(%w, %shape) {special_zero: false}
    %c = MatMul-0(%a, %w) {}
    %d = MatMul-0(%b, %v) {}
    %e = MatMul-0(%a, %v) {transpose_b: true}
    %rc = Result-0(%c) {}
    %rd = Result-0(%d) {}
    %re = Result-0(%e) {}
  )",
                  {{8, 48}, {8, 64}});
}

TEST(PackingTest, RecurrentLayersTellShapesApart) {
  ExpectBothRight(R"(
    %a = Parameter-0() {shape: [2,16], element_type: f32}
    %b = Parameter-0() {shape: [2,8], element_type: f32}
    %ha = Parameter-0() {shape: [2,8], element_type: f32}
    %hb = Parameter-0() {shape: [2,16], element_type: f32}
    %w = Parameter-0() {shape: [8,16], element_type: f32}  # constant
    %ra = Parameter-0() {shape: [8,8], element_type: f32}  # constant_small
    %rb = Parameter-0() {shape: [16,16], element_type: f32}  # constant_small
    %shape = Constant-0() {value: i64[2] {16,8}}
    %v = Reshape-1(%w, %shape) {special_zero: false}
    %c = RNNCell-0(%a, %ha, %w, %ra) {hidden_size: 8}
    %d = RNNCell-0(%b, %hb, %v, %rb) {hidden_size: 16}
    %rc = Result-0(%c) {}
    %rd = Result-0(%d) {}
  )",
                  {{2, 16}, {2, 8}, {2, 8}, {2, 16}});
}

}  // namespace
}  // namespace dovetail::cpu
