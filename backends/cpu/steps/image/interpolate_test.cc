#include "dovetail/backends/cpu/steps/image/interpolate.h"

#include <string>

#include "absl/strings/str_cat.h"
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

// Resizes %x.
std::string Resize(const std::string& mode, const std::string& sizes,
                   const std::string& axes, const std::string& more = "") {
  return "%sizes = Constant-0() {value: i64[2] {" + sizes +
         "}}\n%axes = Constant-0() {value: i64[2] {" + axes +
         "}}\n%y = Interpolate-11(%x, %sizes, %axes) {mode: " + mode +
         ", shape_calculation_mode: sizes, antialias: false, "
         "pads_begin: [0], pads_end: [0], cube_coeff: -0.75, "
         "nearest_mode: floor, coordinate_transformation_mode: " +
         (more.empty() ? "half_pixel" : more) + "}\n%r = Result-0(%y) {}\n";
}

TEST(InterpolateTest, ModesSizesAndAxes) {
  for (const std::string mode : {"nearest", "linear", "linear_onnx", "cubic"}) {
    for (const std::string sizes : {"11, 21", "3, 4", "6, 20", "6, 7"}) {
      for (const std::string axes : {"2, 3", "1, 2"}) {
        for (const std::string where : {"half_pixel", "align_corners"}) {
          // linear_onnx takes spatial axes alone.
          if (mode == "linear_onnx" && axes[0] == '1') continue;
          const Compared compared = Compare(Parameter("%x", "2,5,6,7") +
                                            Resize(mode, sizes, axes, where));
          EXPECT_LT(compared.error, kTolerance)
              << mode << sizes << axes << where << compared.message;
          EXPECT_EQ(compared.KernelOf("Interpolate"), "resize");
        }
      }
    }
  }
}

TEST(InterpolateTest, KeepsTheLayoutOfItsData) {
  for (const int channels : {32, 5}) {
    for (const std::string mode : {"nearest", "linear_onnx", "cubic"}) {
      const Compared compared = Compare(
          Parameter("%in", "2,16,6,8") +
          Parameter("%w", absl::StrCat(channels, ",16,1,1"), "constant w") +
          "%x = Convolution-1(%in, %w) {strides: [1,1], dilations: [1,1], "
          "pads_begin: [0,0], pads_end: [0,0], auto_pad: explicit}\n" +
          Resize(mode, "12, 17", "2, 3"));
      EXPECT_LT(compared.error, kTolerance)
          << mode << channels << compared.message;
    }
  }
}

// Between convolutions in bf16, pictures of many channels stay so.
TEST(InterpolateTest, KeepsBf16) {
  const MachineModel machine = {.f32_8 = 40, .f32_16 = 80, .bf16 = 160};
  CompareOptions options;
  options.settings.compute_type = ElementType::kBf16;
  options.settings.machine = &machine;
  constexpr double kBf16Tolerance = 1e-2;
  const std::string window =
      " {strides: [1,1], dilations: [1,1], pads_begin: [0,0], pads_end: [0,0], "
      "auto_pad: explicit}\n";
  for (const int channels : {32, 5}) {
    for (const std::string mode : {"nearest", "linear_onnx", "cubic"}) {
      std::string resize = Resize(mode, "12, 17", "2, 3");
      resize.resize(resize.find("%r = "));
      const Compared compared = Compare(
          Parameter("%in", "2,16,6,8") +
              Parameter("%w", absl::StrCat(channels, ",16,1,1"), "constant w") +
              Parameter("%v", absl::StrCat("4,", channels, ",1,1"),
                        "constant v") +
              "%x = Convolution-1(%in, %w)" + window + resize +
              "%z = Convolution-1(%y, %v)" + window + "%r = Result-0(%z) {}\n",
          options);
      EXPECT_LT(compared.error, kBf16Tolerance) << mode << compared.message;
      EXPECT_EQ(compared.KernelOf("Interpolate"),
                channels == 32 ? "resize_bf16" : "resize");
    }
  }
}

// Bytes are off by one level at most, where sums end near a half; the error is
// a part of the greatest byte, which is above 150 here.
constexpr double kOneLevel = 1.001 / 150;

TEST(InterpolateTest, Pictures) {
  for (const std::string mode : {"nearest", "linear", "linear_onnx", "cubic",
                                 "bilinear_pillow", "bicubic_pillow"}) {
    for (const std::string type : {"u8", "f32"}) {
      for (const std::string sizes : {"23, 31", "7, 40", "16, 9"}) {
        // linear_onnx takes spatial axes alone.
        const bool planar = mode == "linear_onnx";
        const Compared compared =
            Compare("%x = Parameter-0() {shape: " +
                    std::string(planar ? "[2,3,16,20]" : "[2,16,20,3]") +
                    ", element_type: " + type + "}\n" +
                    Resize(mode, sizes, planar ? "2, 3" : "1, 2"));
        EXPECT_LT(compared.error, type == "u8" ? kOneLevel : kTolerance)
            << mode << type << sizes << compared.message;
        EXPECT_EQ(compared.KernelOf("Interpolate"),
                  type == "u8" ? "resize_u8" : "resize");
      }
    }
  }
}

}  // namespace
}  // namespace dovetail::cpu
