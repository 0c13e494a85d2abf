// What the kernels of region proposals and of Detectron compute.
#include <limits>

#include "dovetail/core/ops/detection/table.h"
#include "dovetail/core/reference/detection/table.h"
#include "dovetail/core/reference/testing/run_op.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using ::testing::HasSubstr;

const OpTester tester(DetectionOps(), DetectionKernels());
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// Two cells of one anchor each, of pixels 0 to 3 and 4 to 7.
TEST(ProposalTest, MovesAnchors) {
  const TextAttributes attributes = {
      {"base_size", "4"},   {"pre_nms_topn", "9"}, {"post_nms_topn", "3"},
      {"feat_stride", "4"}, {"ratio", "1"},        {"scale", "1"},
      {"nms_thresh", "0.7"}};
  const Tensor scores = Floats({1, 2, 1, 2}, {0, 0, 0.25, 0.75});
  const Tensor still = Floats({1, 4, 1, 2}, {0, 0, 0, 0, 0, 0, 0, 0});
  // From 0 on 4 pixels wide ends at 4, which the image does.
  EXPECT_EQ(tester.Run("Proposal-4", {scores, still, Floats({3}, {4, 8, 1})},
                       attributes),
            "f32[3,5] {0, 4, 0, 7, 3, 0, 0, 0, 4, 3, -1, 0, 0, 0, 0}; "
            "f32[3] {0.75, 0.25, 0}");
  EXPECT_THAT(tester.Run("Proposal-4", {scores, still, Floats({3}, {0, 8, 1})},
                         attributes),
              HasSubstr("an image of 0x8 pixels"));
}

// The image is 8 high, along which x goes, and 5 wide: there the anchor of the
// second column ends.
TEST(ProposalTest, SwapsAxesFromTensorFlow) {
  EXPECT_EQ(tester.Run("Proposal-4",
                       {Floats({1, 2, 1, 2}, {0, 0, 0.25, 0.75}),
                        Floats({1, 4, 1, 2}, {0, 0.5, 0, 0, 0, 0, 0, 0}),
                        Floats({3}, {8, 5, 1})},
                       {{"base_size", "4"},
                        {"pre_nms_topn", "9"},
                        {"post_nms_topn", "2"},
                        {"feat_stride", "4"},
                        {"ratio", "1"},
                        {"scale", "1"},
                        {"nms_thresh", "0.7"},
                        {"framework", "tensorflow"}}),
            "f32[2,5] {0, 1, 2, 3, 5, 0, 0, 0, 2, 2}; f32[2] {0.75, 0.25}");
}

TEST(GenerateProposalsTest, BoxesOfEachImage) {
  // The first anchor moves by half of its width; the second is too small.
  EXPECT_EQ(tester.Run("GenerateProposals-9",
                       {Floats({1, 3}, {10, 10, 1}),
                        Floats({1, 1, 2, 4}, {0, 0, 4, 4, 6, 6, 7, 7}),
                        Floats({1, 8, 1, 1}, {0.5, 0, 0, 0, 0, 0, 0, 0}),
                        Floats({1, 2, 1, 1}, {0.5, 0.75})},
                       {{"min_size", "2"},
                        {"nms_threshold", "0.5"},
                        {"pre_nms_count", "2"},
                        {"post_nms_count", "1"},
                        {"roi_num_type", "i32"}}),
            "f32[1,4] {2, 0, 6, 4}; f32[1] {0.5}; i32[1] {1}");
}

// The small box is the only one before suppression, and then there is none.
TEST(GenerateProposalsTest, CountsSmallBoxesBeforeSuppression) {
  EXPECT_EQ(tester.Run("GenerateProposals-9",
                       {Floats({1, 3}, {10, 10, 1}),
                        Floats({1, 1, 2, 4}, {0, 0, 4, 4, 6, 6, 7, 7}),
                        Floats({1, 8, 1, 1}, {0, 0, 0, 0, 0, 0, 0, 0}),
                        Floats({1, 2, 1, 1}, {0.5, 0.75})},
                       {{"min_size", "2"},
                        {"nms_threshold", "0.5"},
                        {"pre_nms_count", "1"},
                        {"post_nms_count", "1"}}),
            "f32[0,4] {}; f32[0] {}; i64[1] {0}");
}

// Both anchors are 4 pixels wide; the scale is 1 and 2.
TEST(GenerateProposalsTest, LeavesSmallBoxesOut) {
  const Tensor anchors = Floats({1, 1, 2, 4}, {0, 0, 4, 9, 6, 0, 10, 9});
  const std::vector<double> still(16, 0.0);
  EXPECT_EQ(tester.Run("GenerateProposals-9",
                       {Floats({2, 4}, {10, 10, 1, 1, 10, 10, 1, 2}), anchors,
                        Floats({2, 8, 1, 1}, still),
                        Floats({2, 2, 1, 1}, {0.5, 0.25, 0.5, 0.75})},
                       {{"min_size", "3"},
                        {"nms_threshold", "0.5"},
                        {"pre_nms_count", "5"},
                        {"post_nms_count", "5"}}),
            "f32[2,4] {0, 0, 4, 9, 6, 0, 10, 9}; f32[2] {0.5, 0.25}; "
            "i64[2] {2, 0}");
}

// The scale of 3 does not matter here. What is too small has a score of 0.
TEST(SingleImageProposalsTest, KeepsSmallBoxes) {
  EXPECT_EQ(tester.Run("ExperimentalDetectronGenerateProposalsSingleImage-6",
                       {Floats({3}, {10, 10, 3}),
                        Floats({2, 4}, {0, 0, 1, 3, 5, 0, 8, 3}),
                        Floats({8, 1, 1}, {0, 0, 0, 0, 0, 0, 0, 0}),
                        Floats({2, 1, 1}, {0.5, 0.25})},
                       {{"nms_threshold", "0.5"},
                        {"min_size", "3"},
                        {"pre_nms_count", "5"},
                        {"post_nms_count", "2"}}),
            "f32[2,4] {5, 0, 8, 3, 0, 0, 1, 3}; f32[2] {0.25, 0}");
}

TEST(SingleImageProposalsTest, FillsUpWithZeros) {
  EXPECT_EQ(
      tester.Run("ExperimentalDetectronGenerateProposalsSingleImage-6",
                 {Floats({3}, {10, 10, 1}), Floats({1, 4}, {0, 0, 3, 3}),
                  Floats({4, 1, 1}, {0.5, 0, 0, 0}), Floats({1, 1, 1}, {0.5})},
                 {{"nms_threshold", "0.5"},
                  {"pre_nms_count", "5"},
                  {"post_nms_count", "2"}}),
      "f32[2,4] {2, 0, 5, 3, 0, 0, 0, 0}; f32[2] {0.5, 0}");
}

// The background's better score does not count, nor that the image is only
// 4 pixels wide.
TEST(DetectronDetectionOutputTest, LeavesTheBackgroundOut) {
  EXPECT_EQ(tester.Run("ExperimentalDetectronDetectionOutput-6",
                       {Floats({2, 4}, {0, 0, 3, 3, kNan, 0, 1, 1}),
                        Floats({2, 8}, {0, 0, 0, 0, 5, 0, 0, 0,  //
                                        0, 0, 0, 0, 0, 0, 0, 0}),
                        Floats({2, 2}, {0.75, 0.5, 0.5, kNan}),
                        Floats({1, 3}, {4, 4, 1})},
                       {{"num_classes", "2"},
                        {"max_detections_per_image", "2"},
                        {"post_nms_count", "5"},
                        {"nms_threshold", "0.5"},
                        {"max_delta_log_wh", "4"},
                        {"deltas_weights", "10,10,5,5"}}),
            "f32[2,4] {2, 0, 5, 3, 0, 0, 0, 0}; i32[2] {1, 0}; "
            "f32[2] {0.5, 0}");
}

TEST(DetectronDetectionOutputTest, LeavesEmptyRegionsOut) {
  EXPECT_EQ(tester.Run("ExperimentalDetectronDetectionOutput-6",
                       {Floats({3, 4}, {0, 0, 0, 3, 0, 0, 3, 3, 5, 5, 4, 9}),
                        Floats({3, 8}, std::vector<double>(24, 0.0)),
                        Floats({3, 2}, {0, 0.75, 0, 0.5, 0, 1}),
                        Floats({1, 3}, {10, 10, 1})},
                       {{"num_classes", "2"},
                        {"max_detections_per_image", "2"},
                        {"post_nms_count", "5"},
                        {"nms_threshold", "0.5"},
                        {"max_delta_log_wh", "4"},
                        {"deltas_weights", "10,10,5,5"}}),
            "f32[2,4] {0, 0, 3, 3, 0, 0, 0, 0}; i32[2] {1, 0}; "
            "f32[2] {0.5, 0}");
}

// Detections that are not too many stay in the order of their classes.
TEST(DetectronDetectionOutputTest, SortsWhatIsTooMuch) {
  const std::vector<Tensor> inputs = {
      Floats({1, 4}, {0, 0, 3, 3}),
      Floats({1, 12}, std::vector<double>(12, 0.0)),
      Floats({1, 3}, {0, 0.5, 0.75}), Floats({1, 3}, {10, 10, 1})};
  TextAttributes attributes = {
      {"num_classes", "3"},      {"max_detections_per_image", "2"},
      {"post_nms_count", "5"},   {"nms_threshold", "0.5"},
      {"max_delta_log_wh", "4"}, {"deltas_weights", "10,10,5,5"}};
  const std::string op = "ExperimentalDetectronDetectionOutput-6";
  EXPECT_THAT(tester.Run(op, inputs, attributes),
              HasSubstr("i32[2] {1, 2}; f32[2] {0.5, 0.75}"));
  attributes["max_detections_per_image"] = "1";
  EXPECT_THAT(tester.Run(op, inputs, attributes),
              HasSubstr("i32[1] {2}; f32[1] {0.75}"));
}

TEST(PriorGridTest, CentresOfCells) {
  const std::vector<Tensor> inputs = {Floats({1, 4}, {-1, -1, 1, 1}),
                                      Floats({1, 1, 1, 2}, {0, 0}),
                                      Floats({1, 1, 2, 2}, {0, 0, 0, 0})};
  const std::string op = "ExperimentalDetectronPriorGridGenerator-6";
  EXPECT_EQ(tester.Run(op, inputs, {{"stride_x", "4"}}),
            "f32[2,4] {1, 0, 3, 2, 5, 0, 7, 2}");
  EXPECT_EQ(tester.Run(op, inputs, {{"stride_x", "4"}, {"w", "1"}}),
            "f32[2,4] {1, 0, 3, 2, 0, 0, 0, 0}");
}

TEST(TopKRoisTest, BestFirst) {
  EXPECT_EQ(tester.Run("ExperimentalDetectronTopKROIs-6",
                       {Floats({2, 4}, {1, 1, 1, 1, 2, 2, 2, 2}),
                        Floats({2}, {kNan, 0.5})},
                       {{"max_rois", "3"}}),
            "f32[3,4] {2, 2, 2, 2, 1, 1, 1, 1, 0, 0, 0, 0}");
}

}  // namespace
}  // namespace dovetail
