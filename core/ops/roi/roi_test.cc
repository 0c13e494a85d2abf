// What the operations on regions of interest infer.
#include "dovetail/core/ops/roi/table.h"
#include "dovetail/core/ops/testing/infer.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using ::testing::HasSubstr;

const InferTester tester(RoiOps());

const TextAttributes kPooling = {
    {"pooled_h", "2"}, {"pooled_w", "3"}, {"spatial_scale", "0.5"}};

TEST(RoiPoolingTest, HasBinsForEachRegion) {
  EXPECT_EQ(tester.Shapes("ROIPooling-0",
                          {F32(PartialShape{1, 8, 5, 6}),
                           F32(PartialShape{7, 5})},
                          kPooling),
            "f32[7,8,2,3]");
  EXPECT_EQ(tester.Shapes("ROIPooling-0",
                          {F32(PartialShape{-1, Dimension(4, 8), -1, -1}),
                           F32(PartialShape())},
                          kPooling),
            "f32[?,4..8,2,3]");
  EXPECT_THAT(tester.Error("ROIPooling-0",
                           {F32(PartialShape{1, 8, 5, 6}),
                            F32(PartialShape{7, 4})},
                           kPooling),
              HasSubstr("input 1 has shape [7,4], want [R,5]"));
  EXPECT_THAT(tester.Error("ROIPooling-0",
                           {F32(PartialShape()), F32(PartialShape())}),
              HasSubstr("attribute pooled_h is 0, want 1 to"));
}

TEST(PsRoiPoolingTest, ChannelsAreThoseOfBinsOrParts) {
  const TextAttributes average = {
      {"output_dim", "2"}, {"group_size", "3"}, {"spatial_scale", "1"}};
  TextAttributes bilinear = average;
  bilinear["mode"] = "bilinear";
  bilinear["spatial_bins_x"] = "4";
  const InputSpec rois = F32(PartialShape{-1, 5});
  EXPECT_EQ(tester.Shapes("PSROIPooling-0",
                          {F32(PartialShape{1, 18, 5, 6}), rois}, average),
            "f32[?,2,3,3]");
  EXPECT_EQ(tester.Shapes("PSROIPooling-0",
                          {F32(PartialShape{1, 8, 5, 6}), rois}, bilinear),
            "f32[?,2,3,3]");
  EXPECT_EQ(tester.Shapes("PSROIPooling-0", {F32(PartialShape()), rois},
                          bilinear),
            "f32[?,2,3,3]");
  EXPECT_THAT(tester.Error("PSROIPooling-0",
                           {F32(PartialShape{1, 8, 5, 6}), rois}, average),
              HasSubstr("input 0 has 8 channels, want 18"));
}

TEST(DeformablePsRoiPoolingTest, OffsetsAreOfParts) {
  const TextAttributes attributes = {{"output_dim", "2"},
                                     {"group_size", "3"},
                                     {"spatial_scale", "1"},
                                     {"part_size", "4"}};
  const InputSpec features = F32(PartialShape{1, 18, 5, 6});
  const InputSpec rois = F32(PartialShape{7, 5});
  EXPECT_EQ(tester.Shapes("DeformablePSROIPooling-1", {features, rois},
                          attributes),
            "f32[7,2,3,3]");
  EXPECT_EQ(tester.Shapes("DeformablePSROIPooling-1",
                          {F32(PartialShape()), F32(PartialShape{-1, -1}),
                           F32(PartialShape{-1, 4, 4, 4})},
                          attributes),
            "f32[?,2,3,3]");
  EXPECT_THAT(tester.Error("DeformablePSROIPooling-1",
                           {features, rois, F32(PartialShape{7, 6, 4, 4})},
                           attributes),
              HasSubstr("want [R,2K,4,4] with K a divisor of output_dim, 2"));
  TextAttributes many_points = attributes;
  many_points["spatial_bins_y"] = "129";
  EXPECT_THAT(tester.Error("DeformablePSROIPooling-1", {features, rois},
                           many_points),
              HasSubstr("are 1 and 129, want at most 128"));
}

TEST(RoiAlignTest, IndicesTellTheNumberOfRegionsToo) {
  const InputSpec features = F32(PartialShape{2, 8, 5, 6});
  EXPECT_EQ(tester.Shapes("ROIAlign-3",
                          {features, F32(PartialShape{7, 4}),
                           I32(PartialShape{7})},
                          kPooling),
            "f32[7,8,2,3]");
  TextAttributes aligned = kPooling;
  aligned["aligned_mode"] = "half_pixel";
  EXPECT_EQ(tester.Shapes("ROIAlign-9",
                          {F32(PartialShape()), F32(PartialShape{-1, 4}),
                           I64(PartialShape{Dimension(1, 9)})},
                          aligned),
            "f32[1..9,?,2,3]");
  EXPECT_THAT(tester.Error("ROIAlign-9",
                           {features, F32(PartialShape{7, 4}),
                            I32(PartialShape{6})},
                           aligned),
              HasSubstr("input 2 has 6 as R, want 7 as input 1 has"));
  EXPECT_THAT(tester.Error("ROIAlign-9",
                           {features, F32(PartialShape{7, 4}),
                            F32(PartialShape{7})},
                           aligned),
              HasSubstr("input 2 has type f32, want an integer type"));
}

TEST(RoiAlignRotatedTest, RegionsHaveAnAngle) {
  const InputSpec features = F32(PartialShape{2, 8, 5, 6});
  EXPECT_EQ(tester.Shapes("ROIAlignRotated-15",
                          {features, F32(PartialShape{7, 5}),
                           I32(PartialShape{7})},
                          kPooling),
            "f32[7,8,2,3]");
  EXPECT_EQ(tester.Shapes("ROIAlignRotated-15",
                          {features, F32(PartialShape()), I32(PartialShape())},
                          kPooling),
            "f32[?,8,2,3]");
  TextAttributes many = kPooling;
  many["sampling_ratio"] = "-1";
  EXPECT_THAT(tester.Error("ROIAlignRotated-15",
                           {features, F32(PartialShape{7, 5}),
                            I32(PartialShape{7})},
                           many),
              HasSubstr("attribute sampling_ratio is -1, want 0 to 128"));
}

TEST(RoiFeatureExtractorTest, LevelsHaveTheSameChannels) {
  const TextAttributes attributes = {{"output_size", "7"},
                                     {"pyramid_scales", "4,8"}};
  EXPECT_EQ(tester.Shapes("ExperimentalDetectronROIFeatureExtractor-6",
                          {F32(PartialShape{9, 4}),
                           F32(PartialShape{1, 3, 8, 8}),
                           F32(PartialShape{1, 3, 4, 4})},
                          attributes),
            "f32[9,3,7,7] f32[9,4]");
  EXPECT_EQ(tester.Shapes("ExperimentalDetectronROIFeatureExtractor-6",
                          {F32(PartialShape()), F32(PartialShape()),
                           F32(PartialShape{1, Dimension(2, 5), -1, -1})},
                          attributes),
            "f32[?,2..5,7,7] f32[?,4]");
  EXPECT_THAT(tester.Error("ExperimentalDetectronROIFeatureExtractor-6",
                           {F32(PartialShape{9, 4}),
                            F32(PartialShape{1, 3, 8, 8}),
                            F32(PartialShape{1, 4, 4, 4})},
                           attributes),
              HasSubstr("input 2 has 4 channels, want 3"));
}

TEST(RoiFeatureExtractorTest, EachLevelHasAScale) {
  const InputSpec rois = F32(PartialShape{9, 4});
  const InputSpec level = F32(PartialShape{1, 3, 8, 8});
  const TextAttributes attributes = {{"output_size", "7"},
                                     {"pyramid_scales", "4,8"}};
  EXPECT_EQ(tester.Shapes("ExperimentalDetectronROIFeatureExtractor-6",
                          {rois, level}, attributes),
            "f32[9,3,7,7] f32[9,4]");
  EXPECT_THAT(tester.Error("ExperimentalDetectronROIFeatureExtractor-6",
                           {rois, level, level, level}, attributes),
              HasSubstr("pyramid_scales has 2 numbers, want 3"));
}

}  // namespace
}  // namespace dovetail
