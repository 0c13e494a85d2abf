#include <string>

#include "absl/strings/str_cat.h"
#include "dovetail/backends/cpu/steps/image/deformable.h"
#include "dovetail/backends/cpu/steps/image/grid_sample.h"
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

void ExpectClose(const std::string& model, const std::string& type,
                 const std::string& kernel) {
  const Compared compared = Compare(model);
  EXPECT_LT(compared.error, kTolerance) << compared.message << model;
  EXPECT_EQ(compared.KernelOf(type), kernel) << model;
}

// ---- DeformableConvolution ----

struct DeformableCase {
  std::string data, offsets, mask, weights;
  std::string window;
  int group = 1, offset_group = 1;
};

std::string Window(int stride, int dilation, const std::string& pads,
                   const std::string& auto_pad = "explicit") {
  return absl::StrCat("strides: [", stride, ",", stride, "], dilations: [",
                      dilation, ",", dilation, "], pads_begin: [", pads,
                      "], pads_end: [", pads, "], auto_pad: ", auto_pad);
}

const DeformableCase kDeformableCases[] = {
    {"1,16,9,11", "1,18,9,11", "1,9,9,11", "24,16,3,3", Window(1, 1, "1,1")},
    {"2,5,9,11", "2,18,9,11", "2,9,9,11", "7,5,3,3", Window(1, 1, "1,1")},
    // Groups of both kinds, whose ends differ.
    {"2,24,9,11", "2,36,4,5", "2,18,4,5", "12,12,3,3", Window(2, 1, "0,0"), 2,
     2},
    {"1,24,9,11", "1,54,7,9", "1,27,7,9", "10,12,3,3", Window(1, 1, "0,0"), 2,
     3},
    {"1,20,9,11", "1,48,7,9", "1,24,7,9", "8,5,3,2", Window(1, 2, "1,0"), 4, 4},
    {"1,6,9,11", "1,18,9,11", "1,9,9,11", "6,1,3,3",
     Window(1, 1, "0,0", "same_upper"), 6, 1},
    {"1,8,9,11", "1,8,5,6", "1,4,5,6", "9,8,2,2",
     Window(2, 1, "0,0", "same_lower")},
    {"1,8,9,11", "1,2,9,11", "1,1,9,11", "9,8,1,1",
     Window(1, 1, "0,0", "valid")},
    // A picture of one pixel.
    {"1,8,1,1", "1,18,1,1", "1,9,1,1", "9,8,3,3", Window(1, 1, "1,1")},
};

std::string Version8(const DeformableCase& c, const std::string& weights,
                     bool has_mask, bool blends) {
  return Parameter("%x", c.data) + Parameter("%o", c.offsets) +
         Parameter("%w", c.weights, weights) +
         (has_mask ? Parameter("%m", c.mask) : "") +
         "%y = " + "DeformableConvolution-8(%x, %o, %w" +
         (has_mask ? ", %m" : "") + ") {" + c.window +
         ", group: " + absl::StrCat(c.group) +
         ", deformable_group: " + absl::StrCat(c.offset_group) +
         ", bilinear_interpolation_pad: " + (blends ? "true" : "false") +
         "}\n%r = Result-0(%y) {}\n";
}

TEST(DeformableConvolutionTest, MaskAndBorders) {
  for (const DeformableCase& c : kDeformableCases) {
    for (const std::string weights : {"constant w", ""}) {
      for (const bool has_mask : {false, true}) {
        for (const bool blends : {false, true}) {
          ExpectClose(Version8(c, weights, has_mask, blends),
                      "DeformableConvolution", "deformable");
        }
      }
    }
  }
}

TEST(DeformableConvolutionTest, FirstVersion) {
  for (const DeformableCase& c : kDeformableCases) {
    ExpectClose(Parameter("%x", c.data) + Parameter("%o", c.offsets) +
                    Parameter("%w", c.weights, "constant w") +
                    "%y = DeformableConvolution-1(%x, %o, %w) {" + c.window +
                    ", group: " + absl::StrCat(c.group) +
                    ", deformable_group: " + absl::StrCat(c.offset_group) +
                    "}\n%r = Result-0(%y) {}\n",
                "DeformableConvolution", "deformable");
  }
}

// Numbers of which some are infinite, or none.
std::string NoPlaces(const std::string& id, const std::string& shape,
                     bool is_nan) {
  const std::string broadcast = ") {auto_broadcast: numpy}\n";
  return Parameter("%p", shape) + "%f = Floor-0(%p) {}\n" +
         (is_nan ? "%q" : id) +
         " = Divide-1(%p, %f) {auto_broadcast: numpy, m_pythondiv: true}\n" +
         (is_nan ? "%n = Subtract-1(%q, %q" + broadcast + id +
                       " = Add-1(%q, %n" + broadcast
                 : "");
}

TEST(DeformableConvolutionTest, OffsetsThatAreNoPlace) {
  const DeformableCase& c = kDeformableCases[0];
  for (const bool blends : {false, true}) {
    for (const bool is_nan : {false, true}) {
      std::string model = Version8(c, "", false, blends);
      const std::string offsets = Parameter("%o", c.offsets);
      model.replace(model.find(offsets), offsets.size(),
                    NoPlaces("%o", c.offsets, is_nan));
      ExpectClose(model, "DeformableConvolution", "deformable");
    }
  }
}

// ---- GridSample ----

std::string Sample(const std::string& mode, const std::string& padding,
                   bool align) {
  return "%y = GridSample-9(%x, %g) {align_corners: " +
         std::string(align ? "true" : "false") + ", mode: " + mode +
         ", padding_mode: " + padding + "}\n%r = Result-0(%y) {}\n";
}

struct GridCase {
  std::string data, grid;
  bool by_pixels;  // where there is more to read than the nearest element
};

TEST(GridSampleTest, ModesPaddingsAndCorners) {
  const GridCase cases[] = {
      {"2,3,7,9", "2,5,6,2", false},    {"1,37,7,9", "1,20,30,2", true},
      {"2,8,5,4", "2,3,5,2", true},     {"1,5,1,1", "1,4,5,2", false},
      {"1,2,1,6", "1,4,70,2", false},   {"1,16,30,40", "1,1,3,2", false},
      {"1,130,6,5", "1,17,19,2", true},
  };
  for (const GridCase& c : cases) {
    for (const std::string mode : {"nearest", "bilinear", "bicubic"}) {
      for (const std::string padding : {"zeros", "border", "reflection"}) {
        for (const bool align : {false, true}) {
          const Compared compared =
              Compare(Parameter("%x", c.data) + Parameter("%g", c.grid) +
                      Sample(mode, padding, align));
          EXPECT_LT(compared.error, kTolerance)
              << c.data << mode << padding << align << compared.message;
          // One element may be worth moving others, or not.
          if (mode == "nearest" && c.by_pixels) continue;
          EXPECT_EQ(compared.KernelOf("GridSample"),
                    c.by_pixels ? "grid_sample_nhwc" : "grid_sample")
              << c.data << mode;
        }
      }
    }
  }
}

// Coordinates far outside, and of infinity.
TEST(GridSampleTest, CoordinatesThatAreNoPlace) {
  for (const std::string data : {"1,3,7,9", "1,16,7,9"}) {
    for (const std::string mode : {"nearest", "bilinear", "bicubic"}) {
      for (const std::string padding : {"zeros", "border", "reflection"}) {
        for (const std::string scale : {"0.0", "1e-3", "1e-7", "1e-20"}) {
          const Compared compared = Compare(
              Parameter("%x", data) + Parameter("%p", "1,9,10,2") +
              "%s = Constant-0() {value: f32[] {" + scale + "}}\n" +
              "%f = Multiply-1(%p, %s) {auto_broadcast: numpy}\n"
              "%g = Divide-1(%p, %f) {auto_broadcast: numpy, "
              "m_pythondiv: true}\n"
              "%h = Multiply-1(%g, %p) {auto_broadcast: numpy}\n"
              "%y = GridSample-9(%x, %h) {align_corners: false, mode: " +
              mode + ", padding_mode: " + padding +
              "}\n%r = Result-0(%y) {}\n");
          EXPECT_LT(compared.error, kTolerance)
              << compared.message << mode << padding << scale;
        }
      }
    }
  }
}

TEST(GridSampleTest, CoordinatesThatAreNoNumber) {
  for (const std::string data : {"1,3,7,9", "1,16,7,9"}) {
    for (const std::string mode : {"nearest", "bilinear", "bicubic"}) {
      for (const std::string padding : {"zeros", "border", "reflection"}) {
        const Compared compared =
            Compare(Parameter("%x", data) + NoPlaces("%g", "1,9,10,2", true) +
                    Sample(mode, padding, true));
        EXPECT_LT(compared.error, kTolerance)
            << compared.message << mode << padding;
      }
    }
  }
}

// The layout in which a convolution stores it.
TEST(GridSampleTest, ReadsBlocks) {
  ExpectClose(Parameter("%in", "1,16,6,8") +
                  Parameter("%w", "24,16,1,1", "constant w") +
                  Parameter("%g", "1,9,10,2") +
                  "%x = Convolution-1(%in, %w) {strides: [1,1], dilations: "
                  "[1,1], pads_begin: [0,0], pads_end: [0,0], auto_pad: "
                  "explicit}\n" +
                  Sample("nearest", "zeros", false),
              "GridSample", "grid_sample_nhwc");
}

}  // namespace
}  // namespace dovetail::cpu
