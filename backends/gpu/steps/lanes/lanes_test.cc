// Reductions, normalizations, poolings and images against the reference
// kernels, for all kinds of lanes, planar and behind a convolution, which gives
// blocks of channels.
#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "dovetail/backends/gpu/testing/compare_plans.h"
#include "gtest/gtest.h"

namespace dovetail::gpu {
namespace {

class LanesTest : public testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    if (!HasClDevice()) GTEST_SKIP() << "no OpenCL device";
  }
  // `kernel`: one that has to be there; empty: any.
  void Check(const std::string& model, absl::string_view kernel) {
    const ComparedPlan compared = ComparePlan(model, GetParam());
    EXPECT_EQ(compared.message, "") << model;
    EXPECT_TRUE(absl::StrContains(compared.kernels, kernel))
        << compared.kernels << "\n"
        << model;
  }
};

INSTANTIATE_TEST_SUITE_P(Devices, LanesTest, testing::Values(16, 4, 1));

std::string Data(const std::string& shape, const std::string& type = "f32") {
  return absl::StrCat("%x = Parameter-0() {shape: [", shape,
                      "], element_type: ", type, "}\n");
}

// %x of 32 channels as a convolution stores it.
std::string Channels(const std::string& spatial) {
  const int rank =
      static_cast<int>(1 + std::count(spatial.begin(), spatial.end(), ','));
  std::string ones = "1", zeros = "0";
  for (int i = 1; i < rank; ++i) {
    absl::StrAppend(&ones, ",1");
    absl::StrAppend(&zeros, ",0");
  }
  return absl::StrCat(
      "%in = Parameter-0() {shape: [2,16,", spatial,
      "], element_type: f32}\n%w = Parameter-0() {shape: [32,16,", ones,
      "], element_type: f32}  # constant w\n"
      "%x = Convolution-1(%in, %w) {strides: [",
      ones, "], dilations: [", ones, "], pads_begin: [", zeros,
      "], pads_end: [", zeros, "], auto_pad: explicit}\n");
}

std::string List(const std::vector<int>& values) {
  std::string text;
  for (const int value : values) {
    absl::StrAppend(&text, text.empty() ? "" : ", ", value);
  }
  return absl::StrCat("%list = Constant-0() {value: i64[", values.size(), "] {",
                      text, "}}\n");
}

constexpr char kResult[] = "\n%r = Result-0(%y) {}\n";

// ---- Reductions ----

TEST_P(LanesTest, ReduceFloats) {
  for (const std::string type :
       {"ReduceSum-1", "ReduceMean-1", "ReduceMax-1", "ReduceMin-1",
        "ReduceProd-1", "ReduceL1-4", "ReduceL2-4"}) {
    for (const std::vector<int>& axes : std::vector<std::vector<int>>{
             {0}, {-1}, {2, 3}, {1, 3}, {0, 2}, {0, 1, 2, 3}}) {
      for (const std::string& data : {Data("2,3,5,37"), Channels("5,7")}) {
        Check(absl::StrCat(data, List(axes), "%y = ", type,
                           "(%x, %list) {keep_dims: ",
                           axes.size() == 2 ? "true" : "false", "}", kResult),
              "reduce_");
      }
    }
  }
}

TEST_P(LanesTest, ReduceIntegersAndTruths) {
  for (const std::string type : {"i32", "i64", "u8"}) {
    for (const std::string op : {"Sum", "Mean", "Max", "Min", "Prod"}) {
      Check(absl::StrCat(Data("3,4,17", type), List({1}), "%y = Reduce", op,
                         "-1(%x, %list) {keep_dims: false}", kResult),
            "reduce_");
    }
  }
  for (const std::string op : {"And", "Or"}) {
    Check(absl::StrCat(Data("3,4,2", "boolean"), List({1, 2}),
                       "%y = ReduceLogical", op,
                       "-1(%x, %list) {keep_dims: false}", kResult),
          "reduce_rows");
  }
}

TEST_P(LanesTest, ReduceFewLongRowsInParts) {
  for (const std::string type : {"ReduceMean-1", "ReduceMax-1", "ReduceL2-4"}) {
    Check(absl::StrCat(Data("2,96,1000"), List({1, 2}), "%y = ", type,
                       "(%x, %list) {keep_dims: false}", kResult),
          "reduce_rows_float, reduce_rows_float");
  }
}

// ---- Normalizations ----

TEST_P(LanesTest, Softmax) {
  for (const std::string shape : {"3,5,40", "2,7,3", "2,16,5,6"}) {
    for (const int axis : {0, 1, -1}) {
      for (const std::string op : {"Softmax-8", "LogSoftmax-5"}) {
        Check(absl::StrCat(Data(shape), "%y = ", op, "(%x) {axis: ", axis, "}",
                           kResult),
              "softmax_");
      }
    }
  }
}

std::string Constant(const std::string& id, const std::string& shape) {
  return absl::StrCat(id, " = Parameter-0() {shape: [", shape,
                      "], element_type: f32}  # constant ", id.substr(1), "\n");
}

std::string Mvn(const std::vector<int>& axes, const std::string& affine) {
  return absl::StrCat(
      List(axes), Constant("%scale", affine), Constant("%shift", affine),
      "%n = MVN-6(%x, %list) {eps: 0.01, normalize_variance: true, eps_mode: "
      "INSIDE_SQRT}\n%m = Multiply-1(%n, %scale) {}\n"
      "%y = Add-1(%m, %shift) {}\n",
      kResult);
}

TEST_P(LanesTest, MvnTakesScaleAndShift) {
  Check(Data("3,5,37") + Mvn({2}, "37"), "mvn_rows");
  Check(Data("3,5,4,9") + Mvn({2, 3}, "1,5,1,1"), "mvn_rows");
  Check(Data("3,5,4,9") + Mvn({2, 3}, "4,9"), "mvn_rows");
  Check(Data("3,20,9") + Mvn({1}, "9"), "mvn_columns");
  Check(Channels("4,9") + Mvn({2, 3}, "1,32,1,1"), "mvn_");
  Check(Channels("4,9") + Mvn({1, 2, 3}, "1,32,1,1"), "mvn_rows");
}

TEST_P(LanesTest, OtherNormalizations) {
  Check(Data("2,12,5,7") + Constant("%a", "12") + Constant("%b", "12") +
            "%y = GroupNormalization-12(%x, %a, %b) {num_groups: 3, epsilon: "
            "0.01}" +
            kResult,
        "group_norm_rows");
  for (const std::string mode : {"add", "max"}) {
    Check(Data("2,12,5,7") + List({1}) +
              "%y = NormalizeL2-0(%x, %list) {eps: 0.5, eps_mode: " + mode +
              "}" + kResult,
          "normalize_l2_columns");
  }
  Check(Data("2,12,5,7") + List({1}) +
            "%y = LRN-0(%x, %list) {alpha: 0.5, beta: 0.75, bias: 2, size: 5}" +
            kResult,
        "lrn");
}

TEST_P(LanesTest, RmsNorm) {
  Check(Data("3,5,37") + List({-1}) + Constant("%g", "37") +
            "%two = Constant-0() {value: f32[] {2}}\n"
            "%e = Constant-0() {value: f32[] {0.01}}\n"
            "%p = Power-1(%x, %two) {}\n"
            "%mean = ReduceMean-1(%p, %list) {keep_dims: true}\n"
            "%s = Add-1(%mean, %e) {}\n%q = Sqrt-0(%s) {}\n"
            "%d = Divide-1(%x, %q) {}\n%y = Multiply-1(%d, %g) {}" +
            kResult,
        "rms_norm_rows");
}

// ---- Poolings ----

TEST_P(LanesTest, Poolings) {
  for (const std::string& data : {Data("2,5,9,11"), Channels("9,11")}) {
    for (const std::string rounding : {"floor", "ceil"}) {
      const std::string window = absl::StrCat(
          "kernel: [3,2], strides: [2,3], pads_begin: [1,0], pads_end: [1,1], "
          "auto_pad: explicit, rounding_type: ",
          rounding);
      Check(data + "%y = MaxPool-1(%x) {" + window + "}" + kResult, "max_pool");
      for (const std::string exclude : {"true", "false"}) {
        Check(data + "%y = AvgPool-1(%x) {" + window +
                  ", exclude-pad: " + exclude + "}" + kResult,
              "avg_pool");
      }
    }
    Check(
        data + List({4, 3}) + "%y = AdaptiveAvgPool-8(%x, %list) {}" + kResult,
        "avg_pool");
  }
  Check(Channels("5,6,7") +
            "%y = MaxPool-1(%x) {kernel: [2,2,3], strides: [1,2,2], "
            "pads_begin: [0,1,1], pads_end: [0,0,1]}" +
            kResult,
        "max_pool");
}

TEST_P(LanesTest, IndicesOfMaxima) {
  for (const std::string type : {"f32", "i8", "i32"}) {
    Check(Data("2,3,7,9", type) +
              "%y = MaxPool-8(%x) {kernel: [3,3], strides: [2,2], "
              "dilations: [2,1], pads_begin: [1,1], pads_end: [1,1], "
              "index_element_type: i32, axis: 2}\n%j = Result-0(%y:1) {}" +
              kResult,
          "max_pool_indices");
  }
}

// ---- Images ----

TEST_P(LanesTest, Resizes) {
  for (const std::string mode : {"nearest", "linear", "linear_onnx", "cubic"}) {
    for (const std::string& data : {Data("2,5,4,6"), Channels("4,6")}) {
      for (const std::string transform : {"half_pixel", "align_corners"}) {
        Check(data + List({2, 3}) +
                  "%size = Constant-0() {value: i64[2] {7, 9}}\n"
                  "%y = Interpolate-11(%x, %size, %list) {mode: " +
                  mode +
                  ", shape_calculation_mode: sizes, "
                  "coordinate_transformation_mode: " +
                  transform + "}" + kResult,
              "resize_");
      }
    }
  }
}

TEST_P(LanesTest, NearestOfAnyType) {
  for (const std::string type : {"u8", "i32", "i64"}) {
    Check(Data("2,5,4,6", type) + List({2, 3}) +
              "%size = Constant-0() {value: i64[2] {8, 3}}\n"
              "%y = Interpolate-11(%x, %size, %list) {mode: nearest, "
              "shape_calculation_mode: sizes}" +
              kResult,
          "resize_nearest");
  }
}

TEST_P(LanesTest, GridSample) {
  for (const std::string mode : {"bilinear", "bicubic", "nearest"}) {
    for (const std::string padding : {"zeros", "border", "reflection"}) {
      for (const std::string align : {"true", "false"}) {
        Check(Data("2,3,5,6") +
                  "%g = Parameter-0() {shape: [2,4,7,2], element_type: f32}\n"
                  "%y = GridSample-9(%x, %g) {align_corners: " +
                  align + ", mode: " + mode + ", padding_mode: " + padding +
                  "}" + kResult,
              "grid_sample");
      }
    }
  }
}

}  // namespace
}  // namespace dovetail::gpu
