// Regions that the operations' cases have none of, beside the reference.
#include <string>

#include "absl/strings/substitute.h"
#include "dovetail/backends/gpu/testing/compare_plans.h"
#include "gtest/gtest.h"

namespace dovetail::gpu {
namespace {

class RoiTest : public testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    if (!HasClDevice()) GTEST_SKIP() << "no OpenCL device";
  }
  void Check(const std::string& model, const std::string& kernel) {
    const ComparedPlan compared = ComparePlan(model, GetParam());
    EXPECT_EQ(compared.message, "") << model;
    EXPECT_EQ(compared.kernels, kernel) << model;
  }
  // An operation on random features of 2 images, 8 channels, 7 rows and 9
  // columns.
  void CheckRegions(const std::string& regions, const std::string& operation,
                    const std::string& kernel) {
    Check(absl::Substitute(R"(
        %x = Parameter-0() {shape: [2,8,7,9], element_type: f32}
        %r = Constant-0() {value: $0}
        %1 = $1
        %2 = Result-0(%1) {}
        )",
                           regions, operation),
          kernel);
  }
};

INSTANTIATE_TEST_SUITE_P(Devices, RoiTest, testing::Values(16, 4, 1));

// The third ends the list; the second has no element of the features.
constexpr char kList[] =
    "f32[4,5] {1, 0, 1, 6, 5,  0, 40, 40, 50, 50,  -1, 0, 0, 0, 0, "
    " 0, 1, 1, 8, 6}";

TEST_P(RoiTest, AListMayEndEarly) {
  CheckRegions(kList,
               "ROIPooling-0(%x, %r) {pooled_h: 3, pooled_w: 2, "
               "spatial_scale: 1, method: max}",
               "roi_pooling_max");
  CheckRegions(kList,
               "PSROIPooling-0(%x, %r) {output_dim: 2, group_size: 2, "
               "spatial_scale: 0.9, mode: average, spatial_bins_x: 1, "
               "spatial_bins_y: 1}",
               "psroi_pooling_average");
  CheckRegions(kList,
               "DeformablePSROIPooling-1(%x, %r) {output_dim: 2, "
               "spatial_scale: 0.7, group_size: 2, mode: bilinear_deformable, "
               "spatial_bins_x: 3, spatial_bins_y: 2, trans_std: 0.1, "
               "part_size: 2}",
               "deformable_psroi_pooling");
}

TEST_P(RoiTest, ABinMayHaveASinglePoint) {
  const std::string fractions =
      "f32[2,5] {1, 0.1, 0.2, 0.9, 1,  0, -0.5, 0, 0.2, 3}";
  CheckRegions(fractions,
               "ROIPooling-0(%x, %r) {pooled_h: 1, pooled_w: 1, "
               "spatial_scale: 1, method: bilinear}",
               "roi_pooling_bilinear");
  CheckRegions(fractions,
               "PSROIPooling-0(%x, %r) {output_dim: 2, group_size: 1, "
               "spatial_scale: 1, mode: bilinear, spatial_bins_x: 2, "
               "spatial_bins_y: 2}",
               "psroi_pooling_bilinear");
}

TEST_P(RoiTest, RegionsMayHaveNoAreaAndReachFarOutside) {
  const std::string regions =
      "f32[4,4] {3, 3, 3, 9,  0, 0, 400, 500,  -1e9, -1e9, 1e9, 1e9, "
      "5, 5, 1, 1}";
  const std::string extractor =
      "ExperimentalDetectronROIFeatureExtractor-6(%r, %a, %b) {output_size: "
      "3, sampling_ratio: 2, pyramid_scales: [4, 8], aligned: true}";
  Check(absl::Substitute(R"(
      %r = Constant-0() {value: $0}
      %a = Parameter-0() {shape: [1,3,20,30], element_type: f32}
      %b = Parameter-0() {shape: [1,3,10,15], element_type: f32}
      %1 = $1
      %2 = Result-0(%1) {}
      %3 = Result-0(%1:1) {}
      )",
                         regions, extractor),
        "roi_feature_extractor_2, copy");
}

}  // namespace
}  // namespace dovetail::gpu
