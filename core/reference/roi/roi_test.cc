// What the kernels of regions of interest compute.
#include <cmath>
#include <limits>
#include <numeric>

#include "dovetail/core/ops/roi/table.h"
#include "dovetail/core/reference/roi/table.h"
#include "dovetail/core/reference/testing/run_op.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using ::testing::HasSubstr;

const OpTester tester(RoiOps(), RoiKernels());
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// Elements first, first + 1, …: in one plane, first + width * y + x.
Tensor Counting(const Shape& shape, double first = 0,
                ElementType type = ElementType::kF32) {
  std::vector<double> values(shape.Count());
  std::iota(values.begin(), values.end(), first);
  return TensorOf(type, shape, values);
}

TEST(RoiPoolingTest, LargestOfEachBin) {
  const TextAttributes attributes = {
      {"pooled_h", "2"}, {"pooled_w", "2"}, {"spatial_scale", "0.5"}};
  // Pixels 0 to 6 are elements 0 to 3. The second region ends the list.
  EXPECT_EQ(tester.Run("ROIPooling-0",
                       {Counting({1, 1, 4, 4}),
                        Floats({3, 5}, {0, 0, 0, 6, 6,   //
                                        -1, 0, 0, 0, 0,  //
                                        0, 0, 0, 6, 6})},
                       attributes),
            "f32[3,1,2,2] {5, 7, 13, 15, 0, 0, 0, 0, 0, 0, 0, 0}");
  EXPECT_EQ(tester.Run("ROIPooling-0",
                       {Counting({1, 1, 4, 4}),
                        Floats({1, 5}, {0, kNan, 0, 1e30, -1e30})},
                       attributes),
            "f32[1,1,2,2] {0, 0, 0, 0}");
  EXPECT_THAT(tester.Run("ROIPooling-0",
                         {Counting({1, 1, 4, 4}),
                          Floats({1, 5}, {2, 0, 0, 6, 6})},
                         attributes),
              HasSubstr("region 0 is of image 2, want an index below 1"));
}

TEST(RoiPoolingTest, BilinearPointsReachTheSides) {
  const TextAttributes corners = {{"pooled_h", "2"},
                                  {"pooled_w", "2"},
                                  {"spatial_scale", "1"},
                                  {"method", "bilinear"}};
  EXPECT_EQ(tester.Run("ROIPooling-0",
                       {Counting({1, 1, 4, 4}, 0, ElementType::kF16),
                        TensorOf(ElementType::kF16, {1, 5}, {0, 0, 0, 1, 1})},
                       corners),
            "f16[1,1,2,2] {0, 3, 12, 15}");
  TextAttributes middle = corners;
  middle["pooled_h"] = "1";
  middle["pooled_w"] = "1";
  EXPECT_EQ(tester.Run("ROIPooling-0",
                       {Counting({1, 1, 4, 4}),
                        Floats({2, 5}, {0, 0, 0, 1, 1, 0, 0, 0, 1, 3})},
                       middle),
            "f32[2,1,1,1] {7.5, 0}");
}

TEST(PsRoiPoolingTest, EachBinHasItsChannel) {
  EXPECT_EQ(tester.Run("PSROIPooling-0",
                       {Counting({1, 4, 2, 2}),
                        Floats({1, 5}, {0, 0, 0, 1, 1})},
                       {{"output_dim", "1"},
                        {"group_size", "2"},
                        {"spatial_scale", "1"}}),
            "f32[1,1,2,2] {0, 5, 10, 15}");
}

TEST(PsRoiPoolingTest, EachPartHasItsChannel) {
  // 1.25 in the middle of the left half of channel 0, 5.75 in that of the right
  // half of channel 1.
  EXPECT_EQ(tester.Run("PSROIPooling-0",
                       {Counting({1, 2, 2, 2}),
                        Floats({2, 5}, {0, 0, 0, 1, 1, 0, kNan, 0, 1, 1})},
                       {{"output_dim", "1"},
                        {"group_size", "1"},
                        {"spatial_scale", "1"},
                        {"spatial_bins_x", "2"},
                        {"mode", "bilinear"}}),
            "f32[2,1,1,1] {3.5, 0}");
}

TEST(DeformablePsRoiPoolingTest, OffsetsMoveBins) {
  const TextAttributes attributes = {{"output_dim", "1"},
                                     {"group_size", "1"},
                                     {"spatial_scale", "1"},
                                     {"trans_std", "0.5"}};
  const Tensor features = Counting({1, 1, 2, 2});
  const Tensor roi = Floats({1, 5}, {0, 0, 0, 1, 1});
  // Two elements from -0.5 on; an offset of 1 moves by half of that.
  EXPECT_EQ(tester.Run("DeformablePSROIPooling-1", {features, roi},
                       attributes),
            "f32[1,1,1,1] {0}");
  EXPECT_EQ(tester.Run("DeformablePSROIPooling-1",
                       {features, roi, Floats({1, 2, 1, 1}, {1, 0})},
                       attributes),
            "f32[1,1,1,1] {0.5}");
  EXPECT_EQ(tester.Run("DeformablePSROIPooling-1",
                       {features, roi, Floats({1, 2, 1, 1}, {1, 1})},
                       attributes),
            "f32[1,1,1,1] {1.5}");
  EXPECT_EQ(tester.Run("DeformablePSROIPooling-1",
                       {features, roi, Floats({1, 2, 1, 1}, {kNan, 1})},
                       attributes),
            "f32[1,1,1,1] {0}");
}

TEST(RoiAlignTest, WhereElementsLie) {
  const std::vector<Tensor> inputs = {Counting({1, 1, 4, 4}),
                                      Floats({1, 4}, {0, 0, 2, 2}),
                                      Int32s({1}, {0})};
  const auto run = [&](const char* mode) {
    return tester.Run("ROIAlign-9", inputs,
                      {{"pooled_h", "1"},
                       {"pooled_w", "1"},
                       {"sampling_ratio", "2"},
                       {"spatial_scale", "1"},
                       {"aligned_mode", mode}});
  };
  EXPECT_EQ(run("asymmetric"), "f32[1,1,1,1] {5}");
  EXPECT_EQ(run("half_pixel_for_nn"), "f32[1,1,1,1] {2.5}");
  EXPECT_EQ(run("half_pixel"), "f32[1,1,1,1] {5}");
}

TEST(RoiAlignTest, LargestPointButAtLeastZero) {
  const TextAttributes attributes = {{"pooled_h", "1"},
                                     {"pooled_w", "1"},
                                     {"sampling_ratio", "1"},
                                     {"spatial_scale", "1"},
                                     {"mode", "max"}};
  const std::vector<Tensor> regions = {Floats({2, 4}, {0, 0, 2, 2, 0, 0, 2, 1}),
                                       Int64s({2}, {0, 0})};
  // Points (1, 1) and (1, 0.5).
  EXPECT_EQ(tester.Run("ROIAlign-3",
                       {Counting({1, 1, 4, 4}), regions[0], regions[1]},
                       attributes),
            "f32[2,1,1,1] {5, 3}");
  EXPECT_EQ(tester.Run("ROIAlign-3",
                       {Counting({1, 1, 4, 4}, -20), regions[0], regions[1]},
                       attributes),
            "f32[2,1,1,1] {0, 0}");
}

TEST(RoiAlignTest, RegionsMayBeAnywhere) {
  const double inf = std::numeric_limits<double>::infinity();
  const TextAttributes attributes = {
      {"pooled_h", "1"}, {"pooled_w", "1"}, {"spatial_scale", "1"}};
  ExpectNear(tester.Outputs("ROIAlign-3",
                            {Counting({1, 1, 4, 4}),
                             Floats({4, 4}, {-9, -9, -3, -3,      //
                                             0, 0, 1e9, 1e9,      //
                                             -inf, -inf, inf, inf,  //
                                             kNan, 0, 1, 1}),
                             Int32s({4}, {0, 0, 0, 0})},
                            attributes),
             {0, 0, 0, 0});
  EXPECT_THAT(tester.Run("ROIAlign-3",
                         {Counting({1, 1, 4, 4}),
                          Floats({1, 4}, {0, 0, 1, 1}), Int32s({1}, {-1})},
                         attributes),
              HasSubstr("region 0 is of image -1, want 0 to 0"));
  EXPECT_EQ(tester.Run("ROIAlign-3",
                       {Counting({1, 1, 0, 4}), Floats({1, 4}, {0, 0, 1, 1}),
                        Int32s({1}, {0})},
                       attributes),
            "f32[1,1,1,1] {0}");
  EXPECT_EQ(tester.Run("ROIAlign-3",
                       {Counting({1, 1, 4, 4}), Floats({0, 4}, {}),
                        Int32s({0}, {})},
                       attributes),
            "f32[0,1,1,1] {}");
}

// Around element (1.5, 1.5), 2 wide: points at 0.5 to either side.
TEST(RoiAlignRotatedTest, TurnsEitherWay) {
  constexpr double kQuarter = 1.57079632679;
  const std::vector<Tensor> inputs = {
      Counting({1, 1, 4, 4}),
      Floats({2, 5}, {2, 2, 2, 2, 0, 2, 2, 2, 2, kQuarter}),
      Int32s({2}, {0, 0})};
  TextAttributes attributes = {{"pooled_h", "1"},
                               {"pooled_w", "2"},
                               {"sampling_ratio", "1"},
                               {"spatial_scale", "1"}};
  ExpectNear(tester.Outputs("ROIAlignRotated-15", inputs, attributes),
             {7, 8, 9.5, 5.5});
  attributes["clockwise_mode"] = "true";
  ExpectNear(tester.Outputs("ROIAlignRotated-15", inputs, attributes),
             {7, 8, 5.5, 9.5});
}

TEST(RoiAlignRotatedTest, RegionsMayBeAnywhere) {
  ExpectNear(tester.Outputs("ROIAlignRotated-15",
                            {Counting({1, 1, 4, 4}),
                             Floats({5, 5}, {2, 2, 1e9, 1e9, 1,  //
                                             2, 2, 1, 1, kNan,   //
                                             2, 2, 1e18, 1, kNan,
                                             2, 2, -1, -1, 0,    //
                                             2, 2, 0, 0, 0}),
                             Int32s({5}, {0, 0, 0, 0, 0})},
                            {{"pooled_h", "1"},
                             {"pooled_w", "1"},
                             {"spatial_scale", "1"}}),
             {0, 0, 0, 0, 0});
}

TEST(RoiFeatureExtractorTest, LargeRegionsAreOfHighLevels) {
  const Tensor rois = Floats({4, 4}, {0, 0, 8, 8,      //
                                      0, 0, 128, 128,  //
                                      3, 3, 3, 9,      //
                                      kNan, 0, 1, 1});
  const std::vector<Tensor> inputs = {rois, Counting({1, 1, 4, 4}),
                                      Counting({1, 1, 4, 4}, 100)};
  const auto outputs =
      tester.Outputs("ExperimentalDetectronROIFeatureExtractor-6", inputs,
                     {{"output_size", "1"},
                      {"sampling_ratio", "1"},
                      {"pyramid_scales", "4,64"}});
  ExpectNear(outputs, {5, 105, 0, 0});
  ExpectNear(outputs, {0, 0, 8, 8, 0, 0, 128, 128, 3, 3, 3, 9, kNan, 0, 1, 1},
             0, 1);
}

}  // namespace
}  // namespace dovetail
