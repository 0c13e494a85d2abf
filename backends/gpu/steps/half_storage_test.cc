// Floats that are stored as f16 between kernels, for all families that do.
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "dovetail/backends/gpu/testing/compare_plans.h"
#include "gtest/gtest.h"

namespace dovetail::gpu {
namespace {

// Lanes of a work item.
class HalfStorageTest : public testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    if (!HasClDevice()) GTEST_SKIP() << "no OpenCL device";
  }

  // Of statements that make %y of %x, of that shape. Each is followed and led
  // by an operation whose result is stored as f16. `kernel` is among the
  // kernels, and floats are widened for nothing but the result.
  void Check(const std::string& shape, const std::string& statements,
             const std::string& kernel) {
    const std::string model =
        absl::StrCat("%in = Parameter-0() {shape: ", shape,
                     ", element_type: f32}\n%x = Tanh-0(%in) {}\n", statements,
                     "%last = Sin-0(%y) {}\n%r = Result-0(%last) {}\n");
    // Of values of at most some units, and sums of some ten of them.
    const ComparedPlan compared = CompareHalfPlan(model, GetParam(), 1e-2);
    EXPECT_EQ(compared.message, "") << model;
    EXPECT_TRUE(absl::StrContains(compared.kernels, kernel))
        << compared.kernels << "\n"
        << model;
  }
};
INSTANTIATE_TEST_SUITE_P(Lanes, HalfStorageTest, testing::Values(16, 4, 1));

TEST_P(HalfStorageTest, Elementwise) {
  Check("[3,37]", "%y = Exp-0(%x) {}\n", "elementwise_3");
  Check("[2,20,5,5]",
        "%list = Constant-0() {value: i64[2] {2,3}}\n"
        "%m = ReduceMean-1(%x, %list) {keep_dims: true}\n"
        "%y = Multiply-1(%x, %m) {}\n",
        "elementwise_2");
}

TEST_P(HalfStorageTest, ConvolutionsInBlocks) {
  const std::string window =
      " {strides: [1,1], pads_begin: [1,1], pads_end: [1,1], "
      "dilations: [1,1]}\n";
  const std::string weights =
      "%w = Parameter-0() {shape: [36,20,3,3], element_type: f32}  # "
      "constant\n";
  Check(
      "[1,20,9,16]",
      weights + "%c = Convolution-1(%x, %w)" + window + "%y = Relu-0(%c) {}\n",
      "convolution_direct_f16");
  Check("[2,36,7,7]",
        "%w = Parameter-0() {shape: [36,36,1,1], element_type: f32}  # "
        "constant\n"
        "%b = Parameter-0() {shape: [1,36,1,1], element_type: f32}  # "
        "constant\n"
        "%c = Convolution-1(%x, %w) {strides: [1,1], pads_begin: [0,0], "
        "pads_end: [0,0], dilations: [1,1]}\n"
        "%d = Add-1(%c, %b) {}\n%e = Add-1(%d, %x) {}\n%y = Relu-0(%e) {}\n",
        "convolution_direct_f16");
  Check("[1,20,9,11]",
        "%w = Parameter-0() {shape: [20,1,1,3,3], element_type: f32}  # "
        "constant\n"
        "%y = GroupConvolution-1(%x, %w)" +
            window,
        "convolution_depthwise_f16");
}

TEST_P(HalfStorageTest, ConvolutionsOfFewChannels) {
  Check("[1,3,19,70]",
        "%w = Parameter-0() {shape: [2,3,3,3], element_type: f32}  # constant\n"
        "%y = Convolution-1(%x, %w) {strides: [1,1], pads_begin: [1,1], "
        "pads_end: [1,1], dilations: [1,1]}\n",
        "convolution_");
}

TEST_P(HalfStorageTest, Products) {
  const std::string plain = " {transpose_a: false, transpose_b: false}\n";
  Check("[29,40]",
        "%w = Parameter-0() {shape: [40,70], element_type: f32}  # constant\n"
        "%b = Parameter-0() {shape: [70], element_type: f32}  # constant\n"
        "%m = MatMul-0(%x, %w)" +
            plain + "%y = Add-1(%m, %b) {}\n",
        "matmul_f16");
  Check("[1,40]",
        "%w = Parameter-0() {shape: [40,70], element_type: f32}  # constant\n"
        "%y = MatMul-0(%x, %w)" +
            plain,
        "gemv_f16");
  Check("[2,3,20,16]",
        "%y = MatMul-0(%x, %x) {transpose_a: false, transpose_b: true}\n",
        "pack_panels_f16");
}

TEST_P(HalfStorageTest, RowsAndColumns) {
  Check("[5,70]", "%y = Softmax-8(%x) {axis: 1}\n", "softmax_rows_f16");
  Check("[5,7,33]", "%y = Softmax-8(%x) {axis: 1}\n", "softmax_columns_f16");
  Check("[5,70]",
        "%list = Constant-0() {value: i64[1] {1}}\n"
        "%y = MVN-6(%x, %list) {normalize_variance: true, eps: 1e-5, "
        "eps_mode: inside_sqrt}\n",
        "mvn_rows_f16");
  Check("[3,40,7]",
        "%list = Constant-0() {value: i64[1] {1}}\n"
        "%y = ReduceMax-1(%x, %list) {keep_dims: false}\n",
        "reduce_columns");
  Check("[2,20,9]",
        "%list = Constant-0() {value: i64[1] {1}}\n"
        "%y = LRN-0(%x, %list) {alpha: 0.1, beta: 0.75, bias: 1, size: 5}\n",
        "lrn");
}

TEST_P(HalfStorageTest, PoolsAndResizes) {
  Check("[1,20,9,11]",
        "%y = MaxPool-1(%x) {strides: [2,2], pads_begin: [0,0], pads_end: "
        "[0,0], kernel: [2,2]}\n",
        "max_pool");
  Check("[1,20,9,11]",
        "%y = AvgPool-1(%x) {strides: [2,2], pads_begin: [1,1], pads_end: "
        "[1,1], kernel: [3,3], exclude-pad: true}\n",
        "avg_pool");
  Check("[1,20,4,6]",
        "%s = Constant-0() {value: i64[2] {8,9}}\n"
        "%f = Constant-0() {value: f32[2] {2,1.5}}\n"
        "%a = Constant-0() {value: i64[2] {2,3}}\n"
        "%y = Interpolate-4(%x, %s, %f, %a) {mode: linear_onnx, "
        "shape_calculation_mode: sizes}\n",
        "resize");
}

TEST_P(HalfStorageTest, MovesBytes) {
  Check("[2,3,20]",
        "%order = Constant-0() {value: i64[3] {0,2,1}}\n"
        "%y = Transpose-1(%x, %order) {}\n",
        "f16");
  Check("[2,3,20]", "%y = Concat-0(%x, %in) {axis: 1}\n", "reorder");
  Check("[2,3,20]",
        "%list = Constant-0() {value: i64[2] {2,0}}\n"
        "%axis = Constant-0() {value: i64[] {1}}\n"
        "%y = Gather-8(%x, %list, %axis) {batch_dims: 0}\n",
        "gather");
  Check("[3,20]",
        "%a = Constant-0() {value: i64[2] {1,2}}\n"
        "%v = Constant-0() {value: f32[] {0.5}}\n"
        "%y = Pad-1(%x, %a, %a, %v) {pad_mode: constant}\n",
        "pad");
}

// -1e30 is no number that f16 has, but less than all that it has.
TEST_P(HalfStorageTest, FiniteNumbersStaySo) {
  Check("[4,40]",
        "%never = Constant-0() {value: f32[] {-1e30}}\n"
        "%zero = Constant-0() {value: f32[] {0}}\n"
        "%m = Multiply-1(%x, %zero) {}\n%n = Add-1(%m, %never) {}\n"
        "%y = Softmax-8(%n) {axis: 1}\n",
        "softmax_rows_f16");
}

}  // namespace
}  // namespace dovetail::gpu
