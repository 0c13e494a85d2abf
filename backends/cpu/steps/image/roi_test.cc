#include "dovetail/backends/cpu/steps/image/roi.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "dovetail/backends/cpu/testing/compare.h"
#include "gtest/gtest.h"

namespace dovetail::cpu {
namespace {

constexpr double kTolerance = 2e-5;

std::string Parameter(const std::string& id, const std::string& shape) {
  return absl::StrCat(id, " = Parameter-0() {shape: [", shape,
                      "], element_type: f32}\n");
}

void ExpectClose(const std::string& model, const std::string& type,
                 const std::string& kernel) {
  const Compared compared = Compare(model + "%r = Result-0(%y) {}\n");
  EXPECT_LT(compared.error, kTolerance) << compared.message << model;
  EXPECT_EQ(compared.KernelOf(type), kernel) << model;
}

std::string Align(int bins, int ratio, const std::string& scale,
                  const std::string& mode, const std::string& aligned) {
  return absl::StrCat(
      "%i = Constant-0() {value: i64[5] {1, 0, 1, 1, 0}}\n"
      "%y = ROIAlign-9(%x, %rois, %i) {pooled_h: ",
      bins, ", pooled_w: ", bins + 1, ", sampling_ratio: ", ratio,
      ", spatial_scale: ", scale, ", mode: ", mode, ", aligned_mode: ", aligned,
      "}\n");
}

// Corners from -2 to 2, so some regions are empty, and some lie outside.
TEST(RoiAlignTest, ModesAndScales) {
  for (const std::string data : {"2,37,7,9", "2,8,5,4", "2,140,6,6"}) {
    for (const int ratio : {0, 1, 2}) {
      for (const std::string scale : {"0.5", "4.0", "100.0"}) {
        for (const std::string mode : {"avg", "max"}) {
          for (const std::string aligned :
               {"asymmetric", "half_pixel", "half_pixel_for_nn"}) {
            ExpectClose(Parameter("%x", data) + Parameter("%rois", "5,4") +
                            Align(3, ratio, scale, mode, aligned),
                        "ROIAlign", "roi_align");
          }
        }
      }
    }
  }
}

// Not worth moving all features.
TEST(RoiAlignTest, FewRegionsOfLargeFeatures) {
  ExpectClose(Parameter("%x", "2,8,50,40") + Parameter("%rois", "5,4") +
                  Align(1, 2, "4.0", "avg", "asymmetric"),
              "ROIAlign", "reference_f32");
}

std::string Pool(int bins, const std::string& scale, const std::string& method,
                 const std::string& images) {
  return absl::StrCat("%i = Constant-0() {value: f32[5,1] {", images,
                      "}}\n%rois = Concat-0(%i, %corners) {axis: 1}\n"
                      "%y = ROIPooling-0(%x, %rois) {pooled_h: ",
                      bins, ", pooled_w: ", bins + 1,
                      ", spatial_scale: ", scale, ", method: ", method, "}\n");
}

TEST(RoiPoolingTest, MethodsAndScales) {
  for (const std::string data : {"2,37,7,9", "2,8,5,4", "2,140,1,6"}) {
    for (const std::string scale : {"0.5", "4.0", "100.0"}) {
      for (const std::string method : {"max", "bilinear"}) {
        // The list may end before the regions do.
        for (const std::string images : {"1,0,1,1,0", "0,1,-1,7,0"}) {
          ExpectClose(Parameter("%x", data) + Parameter("%corners", "5,4") +
                          Pool(3, scale, method, images),
                      "ROIPooling", "roi_pooling");
        }
      }
    }
  }
}

// Corners of which some are infinite, or no numbers.
TEST(RoiTest, CornersThatAreNoPlace) {
  const std::string infinite =
      Parameter("%p", "5,4") +
      "%z = Floor-0(%p) {}\n"
      "%q = Divide-1(%p, %z) {auto_broadcast: numpy, m_pythondiv: true}\n";
  for (const std::string last : {"%p", "%q"}) {
    const std::string no_number =
        infinite + "%n = Subtract-1(%q, " + last +
        ") {auto_broadcast: numpy}\n"
        "%corners = Add-1(%q, %n) {auto_broadcast: numpy}\n";
    for (const std::string method : {"max", "bilinear"}) {
      ExpectClose(Parameter("%x", "2,37,7,9") + no_number +
                      Pool(3, "4.0", method, "1,0,1,1,0"),
                  "ROIPooling", "roi_pooling");
    }
    for (const std::string mode : {"avg", "max"}) {
      ExpectClose(Parameter("%x", "2,37,7,9") + no_number +
                      "%rois = Negative-0(%corners) {}\n" +
                      Align(3, 0, "4.0", mode, "half_pixel"),
                  "ROIAlign", "roi_align");
    }
  }
}

TEST(RoiTest, ImagesThatAreNotThere) {
  const Compared pooled =
      Compare(Parameter("%x", "2,8,5,4") + Parameter("%corners", "5,4") +
              Pool(3, "4.0", "max", "1,0,2,1,0") + "%r = Result-0(%y) {}\n");
  EXPECT_NE(pooled.message.find("of image 2"), std::string::npos)
      << pooled.message;
}

}  // namespace
}  // namespace dovetail::cpu
