#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "dovetail/transformations/decompose/image/rules.h"
#include "dovetail/transformations/testing/check_rules.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

const RuleCheck color(ColorDecompositions());
const RuleCheck resize(ResizeDecompositions());
const RuleCheck grid_sample(GridSampleDecompositions());
const RuleCheck patches(PatchDecompositions());

std::string Parameter(absl::string_view name, absl::string_view shape,
                      absl::string_view type = "f32") {
  return absl::StrCat("%", name, " = Parameter-0() {shape: ", shape,
                      ", element_type: ", type, "}\n");
}

std::string Call(absl::string_view call) {
  return absl::StrCat("%y = ", call, "\n%r = Result-0(%y) {}\n");
}

// ---- Color ----

TEST(ColorDecompositionsTest, ToRgb) {
  for (const std::string order : {"RGB", "BGR"}) {
    for (absl::string_view type : {"f32", "u8"}) {
      const std::string nv12 = "NV12to" + order, i420 = "I420to" + order;
      color.ExpectReplaced(
          nv12, absl::StrCat(Parameter("x", "[2,6,4,1]", type),
                             Call(nv12 + "-8(%x) {}")));
      color.ExpectReplaced(
          nv12, absl::StrCat(Parameter("x", "[?,4,6,1]", type),
                             Parameter("u", "[?,2,3,2]", type),
                             Call(nv12 + "-8(%x, %u) {}")));
      color.ExpectReplaced(
          i420, absl::StrCat(Parameter("x", "[2,6,4,1]", type),
                             Call(i420 + "-8(%x) {}")));
      color.ExpectReplaced(
          i420, absl::StrCat(Parameter("x", "[?,4,2,1]", type),
                             Parameter("u", "[?,2,1,1]", type),
                             Parameter("v", "[?,2,1,1]", type),
                             Call(i420 + "-8(%x, %u, %v) {}")));
    }
  }
}

TEST(ColorDecompositionsTest, ColorsOutsideOfRange) {
  const std::string plane =
      "%x = Constant-0() {value: u8[1,3,4,1] {0, 255, 16, 235, 100, 12, 200, "
      "90, 0, 255, 255, 0}}\n";
  color.ExpectReplaced("NV12toRGB", plane + Call("NV12toRGB-8(%x) {}"));
  color.ExpectReplaced("I420toBGR", plane + Call("I420toBGR-8(%x) {}"));
}

TEST(ColorDecompositionsTest, ToNv12) {
  for (const std::string op : {"RGBtoNV12", "BGRtoNV12"}) {
    for (absl::string_view type : {"f32", "u8"}) {
      const std::string x = Parameter("x", "[?,4,2,3]", type);
      color.ExpectReplaced(op, x + Call(op + "-17(%x) {}"));
      color.ExpectReplaced(op, x + Call(op + "-17(%x) {single_plane: false}") +
                                   "%q = Result-0(%y:1) {}");
    }
  }
  color.ExpectReplaced(
      "RGBtoNV12",
      "%x = Constant-0() {value: u8[1,2,2,3] {0, 255, 16, 235, 100, 12, 200, "
      "90, 0, 255, 255, 1}}\n" + Call("RGBtoNV12-17(%x) {}"));
}

// ---- Interpolate ----

std::string Resize(absl::string_view shape, absl::string_view second,
                   absl::string_view axes, absl::string_view attributes,
                   absl::string_view type = "f32") {
  return absl::StrCat(Parameter("x", shape, type),
                      "%s = Constant-0() {value: ", second,
                      "}\n%a = Constant-0() {value: ", axes, "}\n",
                      Call(absl::StrCat("Interpolate-11(%x, %s, %a) {",
                                        attributes, "}")));
}

TEST(ResizeDecompositionsTest, ModesAndCoordinates) {
  for (absl::string_view mode :
       {"nearest", "linear", "linear_onnx", "cubic", "bilinear_pillow",
        "bicubic_pillow"}) {
    for (absl::string_view coordinates :
         {"half_pixel", "pytorch_half_pixel", "asymmetric",
          "tf_half_pixel_for_nn", "align_corners"}) {
      const std::string attributes =
          absl::StrCat("mode: ", mode,
                       ", shape_calculation_mode: sizes, "
                       "coordinate_transformation_mode: ", coordinates);
      resize.ExpectReplaced("Interpolate",
                            Resize("[?,2,5,4]", "i64[2] {8, 3}",
                                   "i64[2] {2, 3}", attributes));
    }
  }
}

TEST(ResizeDecompositionsTest, ScalesPaddingAndTypes) {
  const std::string scales =
      "shape_calculation_mode: scales, pads_begin: [0, 1, 0], "
      "pads_end: [0, 0, 2], mode: ";
  for (absl::string_view mode : {"nearest", "linear", "cubic"}) {
    resize.ExpectReplaced("Interpolate",
                          Resize("[2,5,4]", "f32[2] {1.7, 0.6}",
                                 "i64[2] {1, -1}", scales + std::string(mode)));
  }
  resize.ExpectReplaced(
      "Interpolate", Resize("[6,5]", "i32[2] {3, 2}", "i64[2] {0, 1}",
                            "mode: linear, antialias: true"));
  for (absl::string_view mode : {"linear_onnx", "bicubic_pillow"}) {
    for (absl::string_view type : {"u8", "i8"}) {
      resize.ExpectReplaced(
          "Interpolate", Resize("[6,5]", "i32[2] {9, 2}", "i64[2] {0, 1}",
                                absl::StrCat("mode: ", mode), type));
    }
  }
}

TEST(ResizeDecompositionsTest, WeightsOfNothingAreNotThere) {
  resize.ExpectReplaced(
      "Interpolate",
      absl::StrCat(
          "%x = Constant-0() {value: f32[1,1,1,4] {1, inf, 2, 3}}\n",
          "%s = Constant-0() {value: i64[1] {7}}\n",
          "%a = Constant-0() {value: i64[1] {3}}\n",
          Call("Interpolate-11(%x, %s, %a) {mode: linear_onnx, "
               "coordinate_transformation_mode: align_corners}")));
}

TEST(ResizeDecompositionsTest, UnknownExtents) {
  for (absl::string_view mode : {"nearest", "linear", "linear_onnx", "cubic"}) {
    for (absl::string_view coordinates :
         {"half_pixel", "pytorch_half_pixel", "asymmetric",
          "tf_half_pixel_for_nn", "align_corners"}) {
      const std::string attributes = absl::StrCat(
          "mode: ", mode, ", coordinate_transformation_mode: ", coordinates);
      for (absl::string_view sizes : {"i64[2] {5, 1}", "i64[2] {2, 4}"}) {
        resize.ExpectReplaced("Interpolate",
                              Resize("[1,2,?,?]", sizes, "i64[2] {2, 3}",
                                     attributes));
      }
      resize.ExpectReplaced(
          "Interpolate", Resize("[2,?,4]", "f32[2] {1.7, 0.6}",
                                "i64[2] {1, -1}",
                                attributes + ", pads_end: [0, 1, 1], "
                                             "shape_calculation_mode: scales"));
    }
  }
  resize.ExpectReplaced("Interpolate",
                        Resize("[?,5]", "i32[2] {9, 2}", "i64[2] {0, 1}",
                               "mode: cubic, cube_coeff: -0.5", "u8"));
}

TEST(ResizeDecompositionsTest, NearestElements) {
  for (absl::string_view rounding :
       {"round_prefer_floor", "round_prefer_ceil", "floor", "ceil", "simple"}) {
    for (absl::string_view shape : {"[6]", "[1..6]"}) {
      for (absl::string_view size : {"i64[1] {3}", "i64[1] {15}"}) {
        resize.ExpectReplaced(
            "Interpolate", Resize(shape, size, "i64[1] {0}",
                                  absl::StrCat("mode: nearest, nearest_mode: ",
                                               rounding)));
      }
    }
  }
}

TEST(ResizeDecompositionsTest, ModesOfAnyNumberOfElements) {
  resize.ExpectDeclined("Interpolate",
                        Resize("[1,2,?,4]", "i64[2] {8, 3}", "i64[2] {2, 3}",
                               "mode: bilinear_pillow"));
}

// ---- GridSample ----

TEST(GridSampleDecompositionsTest, ModesAndPadding) {
  // Points inside, at the edges, far outside, and none.
  const std::string points =
      "%p = Constant-0() {value: f32[2,2,3,2] {0, 0, 0.5, -0.25, -1, 1, 1, -1, "
      "1.2, 0.1, -3.7, 2.9, 0.9, 0.9, -0.6, 0.3, 1e20, -1e20, nan, 0, 0.1, "
      "0.2, -1.01, 0.99}}\n";
  for (absl::string_view mode : {"bilinear", "nearest", "bicubic"}) {
    for (absl::string_view padding : {"zeros", "border", "reflection"}) {
      for (absl::string_view align : {"true", "false"}) {
        const std::string call = absl::StrCat(
            "GridSample-9(%x, %p) {mode: ", mode, ", padding_mode: ", padding,
            ", align_corners: ", align, "}");
        grid_sample.ExpectReplaced(
            "GridSample", Parameter("x", "[2,3,4,5]") + points + Call(call));
        grid_sample.ExpectReplaced(
            "GridSample", Parameter("x", "[2,2,1..3,?]") + points + Call(call));
      }
    }
  }
  grid_sample.ExpectReplaced("GridSample",
                             Parameter("x", "[1,2,1,1]") +
                                 Parameter("p", "[1,?,2,2]") +
                                 Call("GridSample-9(%x, %p) {padding_mode: "
                                      "reflection, align_corners: true}"));
}

// ---- Patches ----

TEST(PatchDecompositionsTest, ExtractImagePatches) {
  for (absl::string_view pad : {"valid", "same_upper", "same_lower"}) {
    for (absl::string_view window :
         {"sizes: [3, 2], strides: [2, 1], rates: [1, 2]",
          "sizes: [2, 2], strides: [3, 4], rates: [1, 1]"}) {
      patches.ExpectReplaced(
          "ExtractImagePatches",
          Parameter("x", "[?,2,7,6]") +
              Call(absl::StrCat("ExtractImagePatches-3(%x) {", window,
                                ", auto_pad: ", pad, "}")));
    }
  }
}

TEST(PatchDecompositionsTest, Col2Im) {
  const std::string extents =
      "%i = Constant-0() {value: i64[2] {5, 4}}\n"
      "%k = Constant-0() {value: i64[2] {2, 3}}\n";
  patches.ExpectReplaced("Col2Im", Parameter("x", "[?,12,8]") + extents +
                                       Call("Col2Im-15(%x, %i, %k) {}"));
  patches.ExpectReplaced(
      "Col2Im", Parameter("x", "[6,9]") + extents +
                    Call("Col2Im-15(%x, %i, %k) {strides: [2, 2], pads_begin: "
                         "[0, 1], pads_end: [1, 2], dilations: [1, 1]}"));
}

TEST(PatchDecompositionsTest, ReorgYolo) {
  patches.ExpectReplaced("ReorgYolo", Parameter("x", "[?,8,4,6]") +
                                          Call("ReorgYolo-0(%x) {stride: 2}"));
}

TEST(PatchDecompositionsTest, RegionYolo) {
  patches.ExpectReplaced(
      "RegionYolo",
      Parameter("x", "[?,14,2,3]") +
          Call("RegionYolo-0(%x) {coords: 4, classes: 2, num: 2, do_softmax: "
               "true, axis: 1, end_axis: 3}"));
  patches.ExpectReplaced(
      "RegionYolo", Parameter("x", "[2,14,?,3]") +
                        Call("RegionYolo-0(%x) {coords: 4, classes: 2, num: 6, "
                             "do_softmax: false, mask: [0, 2]}"));
}

}  // namespace
}  // namespace dovetail
