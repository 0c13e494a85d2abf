// What the operations that propose and use regions infer.
#include "dovetail/core/ops/detection/table.h"
#include "dovetail/core/ops/testing/infer.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using ::testing::HasSubstr;

const InferTester tester(DetectionOps());

TEST(ProposalTest, RowsOfEveryImage) {
  const TextAttributes attributes = {
      {"base_size", "16"},  {"pre_nms_topn", "9"}, {"post_nms_topn", "5"},
      {"feat_stride", "8"}, {"ratio", "0.5,1"},    {"scale", "2"},
      {"nms_thresh", "0.7"}};
  const InputSpec image = F32(PartialShape{3});
  EXPECT_EQ(tester.Shapes("Proposal-0",
                          {F32(PartialShape{2, 4, 3, 3}),
                           F32(PartialShape{2, 8, 3, 3}), image},
                          attributes),
            "f32[10,5]");
  EXPECT_EQ(tester.Shapes("Proposal-4",
                          {F32(PartialShape{-1, 4, -1, -1}),
                           F32(PartialShape()), F32(PartialShape())},
                          attributes),
            "f32[?,5] f32[?]");
  EXPECT_THAT(tester.Error("Proposal-4",
                           {F32(PartialShape{2, 6, 3, 3}),
                            F32(PartialShape{2, 8, 3, 3}), image},
                           attributes),
              HasSubstr("input 0 has shape [2,6,3,3], want 4 channels"));
  EXPECT_THAT(
      tester.Error("Proposal-4", {F32(PartialShape()), F32(PartialShape()),
                                  F32(PartialShape())}),
      HasSubstr("attribute base_size is 0, want 1 to"));
}

TEST(GenerateProposalsTest, ExtentDependsOnTheData) {
  const TextAttributes attributes = {
      {"pre_nms_count", "9"}, {"post_nms_count", "5"}, {"roi_num_type", "i32"}};
  EXPECT_EQ(tester.Shapes(
                "GenerateProposals-9",
                {F32(PartialShape{2, 3}), F32(PartialShape{4, 5, 3, 4}),
                 F32(PartialShape{2, 12, 4, 5}), F32(PartialShape{2, 3, 4, 5})},
                attributes),
            "f32[0..10,4] f32[0..10] i32[2]");
  EXPECT_EQ(tester.Shapes("GenerateProposals-9",
                          {F32(PartialShape()), F32(PartialShape()),
                           F32(PartialShape()), F32(PartialShape{-1, 3, 4, 5})},
                          attributes),
            "f32[?,4] f32[?] i32[?]");
  EXPECT_THAT(
      tester.Error(
          "GenerateProposals-9",
          {F32(PartialShape{2, 3}), F32(PartialShape{4, 5, 3, 4}),
           F32(PartialShape{2, 8, 4, 5}), F32(PartialShape{2, 3, 4, 5})},
          attributes),
      HasSubstr("want extent 1 to be 12, four times"));
  EXPECT_THAT(tester.Error("GenerateProposals-9",
                           std::vector<InputSpec>(4, F32(PartialShape())),
                           {{"pre_nms_count", "9"}, {"post_nms_count", "0"}}),
              HasSubstr("post_nms_count is 0, want 1 to"));
}

TEST(SingleImageProposalsTest, ExtentIsAnAttribute) {
  const std::string op = "ExperimentalDetectronGenerateProposalsSingleImage-6";
  EXPECT_EQ(
      tester.Shapes(op,
                    {F32(PartialShape{3}), F32(PartialShape{60, 4}),
                     F32(PartialShape{12, 4, 5}), F32(PartialShape{3, 4, 5})},
                    {{"post_nms_count", "7"}}),
      "f32[7,4] f32[7]");
  EXPECT_EQ(tester.Shapes(op,
                          {F32(PartialShape()), F32(PartialShape()),
                           F32(PartialShape()), F32(PartialShape())},
                          {{"post_nms_count", "7"}}),
            "f32[7,4] f32[7]");
  EXPECT_THAT(tester.Error(op, {F32(PartialShape{3}), F32(PartialShape{50, 4}),
                                F32(PartialShape{12, 4, 5}),
                                F32(PartialShape{3, 4, 5})}),
              HasSubstr("want extent 0 to be 60, one anchor a score"));
}

TEST(DetectronDetectionOutputTest, ExtentIsAnAttribute) {
  const std::string op = "ExperimentalDetectronDetectionOutput-6";
  const TextAttributes attributes = {{"num_classes", "3"},
                                     {"max_detections_per_image", "7"},
                                     {"deltas_weights", "1,1,1,1"}};
  EXPECT_EQ(tester.Shapes(op,
                          {F32(PartialShape{9, 4}), F32(PartialShape{9, 12}),
                           F32(PartialShape{9, 3}), F32(PartialShape{1, 3})},
                          attributes),
            "f32[7,4] i32[7] f32[7]");
  EXPECT_EQ(tester.Shapes(op,
                          {F32(PartialShape()), F32(PartialShape{-1, 12}),
                           F32(PartialShape()), F32(PartialShape{-1, 3})},
                          attributes),
            "f32[7,4] i32[7] f32[7]");
  EXPECT_THAT(tester.Error(op,
                           {F32(PartialShape{9, 4}), F32(PartialShape{9, 4}),
                            F32(PartialShape{9, 3}), F32(PartialShape{1, 3})},
                           attributes),
              HasSubstr("want extent 1 to be 12, four numbers a class"));
}

TEST(PriorGridTest, AsManyCellsAsTheFeatures) {
  const std::string op = "ExperimentalDetectronPriorGridGenerator-6";
  const std::vector<InputSpec> inputs = {F32(PartialShape{3, 4}),
                                         F32(PartialShape{1, 2, 4, 5}),
                                         F32(PartialShape{1, 3, 40, 50})};
  EXPECT_EQ(tester.Shapes(op, inputs), "f32[60,4]");
  EXPECT_EQ(tester.Shapes(op, inputs, {{"flatten", "false"}}), "f32[4,5,3,4]");
  EXPECT_EQ(tester.Shapes(op, {F32(PartialShape{3, 4}), F32(PartialShape()),
                               F32(PartialShape())}),
            "f32[?,4]");
  EXPECT_THAT(tester.Error(op, inputs, {{"h", "5"}}),
              HasSubstr("attribute h is 5, want 0 to 4"));
  EXPECT_THAT(
      tester.Error(op, {inputs[0], inputs[1], F32(PartialShape{2, 3, 40, 50})}),
      HasSubstr("input 2 has 2 as N, want 1 as input 1 has"));
}

TEST(TopKRoisTest, ExtentIsAnAttribute) {
  const std::string op = "ExperimentalDetectronTopKROIs-6";
  EXPECT_EQ(tester.Shapes(op, {F32(PartialShape{9, 4}), F32(PartialShape{9})},
                          {{"max_rois", "3"}}),
            "f32[3,4]");
  EXPECT_EQ(tester.Shapes(op, {F32(PartialShape()), F32(PartialShape{-1})},
                          {{"max_rois", "3"}}),
            "f32[3,4]");
  EXPECT_THAT(tester.Error(op, {F32(PartialShape{9, 4}), F32(PartialShape{8})}),
              HasSubstr("input 1 has 8 as R, want 9 as input 0 has"));
}

}  // namespace
}  // namespace dovetail
