#include <string>

#include "absl/strings/str_cat.h"
#include "dovetail/transformations/decompose/roi/rules.h"
#include "dovetail/transformations/testing/check_rules.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

const RuleCheck align(RoiAlignDecompositions());
const RuleCheck pooling(RoiPoolingDecompositions());
const RuleCheck regions(RegionDecompositions());

// An operation on features of that shape. Of the regions some are partly or
// wholly outside, one is empty, one has no place.
std::string Text(absl::string_view shape, absl::string_view call) {
  return absl::StrCat(
      "%x = Parameter-0() {shape: ", shape, R"(, element_type: f32}
    %boxes = Constant-0() {value: f32[5,4] {0, 0, 3, 4, 1.5, 0.25, 4.5, 2.75,
      -3, -2, 9, 7, 2, 2, 2, 2, 90, 90, 99, 99}}
    %turned = Constant-0() {value: f32[4,5] {2, 2, 3, 4, 0.3, 1.5, 2.5, 9, 1,
      -1.2, 2, 2, 0, 0, 1, nan, 1, 2, 3, 0}}
    %images = Constant-0() {value: i32[5] {1, 0, 1, 0, 1}}
    %some = Constant-0() {value: i64[4] {1, 0, 1, 0}}
    %listed = Constant-0() {value: f32[4,5] {1, 0, 0.2, 0.7, 1, 0, -0.4, 0.25,
      0.5, 1.5, -1, 0, 0, 1, 1, 1, 0, 0, 1, 1}}
    %y = )", call, "\n%r = Result-0(%y) {}\n");
}

TEST(RoiAlignDecompositionsTest, RoiAlign) {
  for (absl::string_view mode : {"avg", "max"}) {
    const std::string attributes = absl::StrCat(
        " {pooled_h: 2, pooled_w: 3, sampling_ratio: 2, spatial_scale: 0.75, "
        "mode: ", mode);
    align.ExpectReplaced(
        "ROIAlign", Text("[2,3,5,6]", absl::StrCat(
                             "ROIAlign-3(%x, %boxes, %images)", attributes,
                             "}")));
    for (absl::string_view aligned :
         {"asymmetric", "half_pixel_for_nn", "half_pixel"}) {
      align.ExpectReplaced(
          "ROIAlign", Text("[2,?,5,?]", absl::StrCat(
                               "ROIAlign-9(%x, %boxes, %images)", attributes,
                               ", aligned_mode: ", aligned, "}")));
    }
  }
}

TEST(RoiAlignDecompositionsTest, PointsThatDependOnTheRegion) {
  align.ExpectDeclined(
      "ROIAlign", Text("[2,3,5,6]",
                       "ROIAlign-9(%x, %boxes, %images) {pooled_h: 2, "
                       "pooled_w: 3, sampling_ratio: 0, spatial_scale: 1, "
                       "mode: avg, aligned_mode: asymmetric}"));
}

TEST(RoiAlignDecompositionsTest, RoiAlignRotated) {
  for (absl::string_view clockwise : {"true", "false"}) {
    for (absl::string_view shape : {"[2,3,5,6]", "[2,?,5,?]"}) {
      align.ExpectReplaced(
          "ROIAlignRotated",
          Text(shape, absl::StrCat("ROIAlignRotated-15(%x, %turned, %some) "
                                   "{pooled_h: 2, pooled_w: 3, sampling_ratio: "
                                   "2, spatial_scale: 0.5, clockwise_mode: ",
                                   clockwise, "}")));
    }
  }
}

TEST(RoiAlignDecompositionsTest, FeatureExtractor) {
  const std::string boxes =
      "%p = Constant-0() {value: f32[5,4] {0, 0, 30, 40, 100, 50, 500, 400, "
      "10, 20, 459, 468, 5, 5, 5, 9, 0, 0, 224, 224}}\n"
      "%s = Parameter-0() {shape: [1,2,?,9], element_type: f32}\n"
      "%q = Parameter-0() {shape: [1,2,3,4], element_type: f32}\n";
  for (absl::string_view aligned : {"true", "false"}) {
    align.ExpectReplaced(
        "ExperimentalDetectronROIFeatureExtractor",
        absl::StrCat(boxes,
                     Text("[1,2,7,5]",
                          absl::StrCat(
                              "ExperimentalDetectronROIFeatureExtractor-6(%p, "
                              "%x, %s, %q) {output_size: 2, sampling_ratio: 2, "
                              "pyramid_scales: [4, 8, 16], aligned: ",
                              aligned, "}")),
                     "%z = Result-0(%y:1) {}"));
  }
}

TEST(RoiPoolingDecompositionsTest, Bilinear) {
  for (absl::string_view shape : {"[2,8,5,6]", "[?,8,5,?]"}) {
    for (absl::string_view bins : {"1", "3"}) {
      pooling.ExpectReplaced(
          "ROIPooling",
          Text(shape, absl::StrCat("ROIPooling-0(%x, %listed) {pooled_h: ",
                                   bins, ", pooled_w: 2, spatial_scale: 1, "
                                         "method: bilinear}")));
      pooling.ExpectReplaced(
          "PSROIPooling",
          Text(shape, absl::StrCat("PSROIPooling-0(%x, %listed) {output_dim: "
                                   "2, group_size: ", bins,
                                   ", spatial_scale: 0.9, spatial_bins_x: 2, "
                                   "spatial_bins_y: 2, mode: bilinear}")));
    }
  }
}

TEST(RoiPoolingDecompositionsTest, BinsOfAnyNumberOfElements) {
  pooling.ExpectDeclined("ROIPooling",
                         Text("[2,3,5,6]",
                              "ROIPooling-0(%x, %listed) {pooled_h: 2, "
                              "pooled_w: 2, spatial_scale: 1, method: max}"));
}

TEST(RegionDecompositionsTest, TopKRois) {
  for (absl::string_view most : {"2", "5"}) {
    regions.ExpectReplaced(
        "ExperimentalDetectronTopKROIs",
        absl::StrCat("%x = Parameter-0() {shape: [3,4], element_type: f32}\n",
                     "%p = Constant-0() {value: f32[3] {0.5, 0.75, 0.5}}\n",
                     "%y = ExperimentalDetectronTopKROIs-6(%x, %p) {max_rois: ",
                     most, "}\n%r = Result-0(%y) {}"));
  }
}

TEST(RegionDecompositionsTest, PriorGrid) {
  for (absl::string_view attributes :
       {"flatten: true, stride_x: 0, stride_y: 0",
        "flatten: false, stride_x: 4, stride_y: 8"}) {
    for (absl::string_view shape : {"[1,2,3,5]", "[1,2,?,4]"}) {
      regions.ExpectReplaced(
          "ExperimentalDetectronPriorGridGenerator",
          absl::StrCat(
              "%x = Parameter-0() {shape: ", shape, ", element_type: f32}\n",
              "%i = Parameter-0() {shape: [1,3,32,40], element_type: f32}\n",
              "%p = Parameter-0() {shape: [3,4], element_type: f32}\n",
              "%y = ExperimentalDetectronPriorGridGenerator-6(%p, %x, %i) {",
              attributes, "}\n%r = Result-0(%y) {}"));
    }
  }
}

}  // namespace
}  // namespace dovetail
