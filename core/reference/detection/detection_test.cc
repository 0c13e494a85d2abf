// What the kernels of object detection compute.
#include "dovetail/core/ops/detection/table.h"
#include "dovetail/core/reference/detection/boxes.h"
#include "dovetail/core/reference/detection/table.h"
#include "dovetail/core/reference/testing/run_op.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using ::testing::HasSubstr;

const OpTester tester(DetectionOps(), DetectionKernels());

TEST(BoxesTest, Overlap) {
  EXPECT_EQ(BoxOverlap({0, 0, 2, 2}, {0, 0, 2, 2}), 1);
  EXPECT_FLOAT_EQ(BoxOverlap({0, 0, 2, 2}, {1, 0, 3, 2}), 1.0f / 3);
  EXPECT_EQ(BoxOverlap({0, 0, 1, 1}, {1, 1, 2, 2}), 0);
  EXPECT_EQ(BoxOverlap({1, 1, 0, 0}, {0, 0, 1, 1}), 0);
  EXPECT_EQ(BoxOverlap({0, 0, std::nanf(""), 1}, {0, 0, 1, 1}), 0);
}

TEST(PriorBoxClusteredTest, CentresBoxesInCells) {
  ExpectNear(tester.Outputs("PriorBoxClustered-0",
                            {Int64s({2}, {1, 2}), Int64s({2}, {10, 20})},
                            {{"width", "4"},
                             {"height", "2"},
                             {"offset", "0.5"},
                             {"variance", "0.1,0.1,0.2,0.2"}}),
             {0.15, 0.4, 0.35, 0.6, 0.65, 0.4, 0.85, 0.6,  //
              0.1, 0.1, 0.2, 0.2, 0.1, 0.1, 0.2, 0.2});
}

TEST(PriorBoxTest, MakesSquaresAndRatios) {
  ExpectNear(
      tester.Outputs("PriorBox-8", {Int64s({2}, {1, 1}), Int64s({2}, {10, 10})},
                     {{"min_size", "4"},
                      {"max_size", "9"},
                      {"aspect_ratio", "4"},
                      {"offset", "0.5"}}),
      {0.3, 0.3, 0.7, 0.7, 0.2, 0.2, 0.8, 0.8, 0.1, 0.4, 0.9, 0.6,
       0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1});
  // A fixed size ends at the image's edges: the second cell lies beyond.
  ExpectNear(
      tester.Outputs("PriorBox-8", {Int64s({2}, {1, 2}), Int64s({2}, {10, 10})},
                     {{"fixed_size", "4"},
                      {"density", "1"},
                      {"step", "10"},
                      {"offset", "0.5"},
                      {"variance", "0.1"}}),
      {0.3, 0.3, 0.7, 0.7, 1.3, 0.3, 1, 0.7,  //
       0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1});
  EXPECT_THAT(
      tester.Run("PriorBox-8", {Int64s({2}, {1, 1}), Int64s({2}, {0, 10})},
                 {{"min_size", "4"}}),
      HasSubstr("an image of 0x10 pixels"));
}

// Two priors, three classes: the boxes overlap, each prior is another class's.
TEST(DetectionOutputTest, ShowsTheBestOfEachClass) {
  const std::vector<Tensor> inputs = {
      Floats({1, 8}, {0, 0, 0, 0, 0, 0, 0, 0}),
      Floats({1, 6}, {0.1, 0.8, 0.1, 0.2, 0.3, 0.5}),
      Floats({1, 2, 8}, {0, 0, 0.5, 0.5, 0, 0, 0.5, 0.4,  //
                         1, 1, 1, 1, 1, 1, 1, 1})};
  ExpectNear(tester.Outputs("DetectionOutput-8", inputs,
                            {{"keep_top_k", "3"},
                             {"nms_threshold", "0.5"},
                             {"confidence_threshold", "0.2"},
                             {"normalized", "true"}}),
             {0,  1, 0.8, 0, 0, 0.5, 0.5,  //
              0,  2, 0.5, 0, 0, 0.5, 0.4,  //
              -1, 0, 0,   0, 0, 0,   0});
}

// Of equal scores the first priors stay, behind the better ones.
TEST(DetectionOutputTest, TakesTheFirstOfEqualScores) {
  const std::vector<Tensor> inputs = {
      Floats({1, 20}, std::vector<double>(20, 0)),
      Floats({1, 10}, {0.5, 0.5, 0.3, 0.7, 0.5, 0.5, 0.3, 0.7, 0.8, 0.2}),
      Floats({1, 2, 20}, {0, 0, 0.1, 0.1, 0.2, 0, 0.3, 0.1,  //
                          0.4, 0, 0.5, 0.1, 0.6, 0, 0.7, 0.1,
                          0.8, 0, 0.9, 0.1,  //
                          1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
                          1, 1, 1, 1, 1, 1, 1, 1, 1, 1})};
  ExpectNear(tester.Outputs("DetectionOutput-8", inputs,
                            {{"keep_top_k", "4"},
                             {"top_k", "3"},
                             {"nms_threshold", "0.5"},
                             {"confidence_threshold", "0.1"},
                             {"normalized", "true"}}),
             {0,  1, 0.7, 0.2, 0, 0.3, 0.1,  //
              0,  1, 0.7, 0.6, 0, 0.7, 0.1,  //
              0,  1, 0.5, 0,   0, 0.1, 0.1,  //
              -1, 0, 0,   0,   0, 0,   0});
}

// The first stage moves the prior to the right, where the image ends at 1;
// the second starts from what is left.
TEST(DetectionOutputTest, ClipsBothStages) {
  const std::vector<Tensor> inputs = {
      Floats({1, 4}, {-0.5, 0, -0.1, 0}), Floats({1, 2}, {0.2, 0.8}),
      Floats({1, 1, 4}, {0.6, 0, 1, 1}), Floats({1, 2}, {0, 1}),
      Floats({1, 4}, {0.2, 0, 0.2, 0})};
  TextAttributes attributes = {{"keep_top_k", "1"},
                               {"nms_threshold", "0.5"},
                               {"normalized", "true"},
                               {"variance_encoded_in_target", "true"},
                               {"code_type", "caffe.PriorBoxParameter.CORNER"}};
  ExpectNear(tester.Outputs("DetectionOutput-8", inputs, attributes),
             {0, 1, 0.8, 0.3, 0, 1.1, 1});
  attributes["clip_before_nms"] = "true";
  ExpectNear(tester.Outputs("DetectionOutput-8", inputs, attributes),
             {0, 1, 0.8, 0.3, 0, 0.9, 1});
}

TEST(NonMaxSuppressionTest, CoveredBoxesGoWhateverTheLeastScore) {
  const Tensor boxes = Floats({1, 3, 4}, {0, 0, 1, 1,    //
                                          0, 0, 1, 0.9,  //
                                          2, 2, 3, 3});
  const Tensor scores = Floats({1, 1, 3}, {0.9, 0.8, -0.7});
  EXPECT_EQ(tester.Run("NonMaxSuppression-9",
                       {boxes, scores, Int64s({}, {10}), Floats({}, {0.5}),
                        Floats({}, {-1e30})}),
            "i64[2,3] {0, 0, 0, 0, 0, 2}; f32[2,3] {0, 0, 0.9, 0, 0, -0.7}; "
            "i64[1] {2}");
}

TEST(NonMaxSuppressionTest, HardAndSoft) {
  const Tensor boxes = Floats({1, 3, 4}, {0, 0, 1, 1,    //
                                          0, 0, 1, 0.9,  //
                                          2, 2, 3, 3});
  const Tensor scores = Floats({1, 1, 3}, {0.9, 0.8, 0.7});
  const Tensor most = Int64s({}, {3}), overlap = Floats({}, {0.5});
  const Tensor least = Floats({}, {0.1});
  EXPECT_EQ(
      tester.Run("NonMaxSuppression-9", {boxes, scores, most, overlap, least}),
      "i64[2,3] {0, 0, 0, 0, 0, 2}; f32[2,3] {0, 0, 0.9, 0, 0, 0.7}; "
      "i64[1] {2}");
  // exp(-0.9^2 / (2 * 0.5)) * 0.8; the threshold is for hard suppression.
  ExpectNear(
      tester.Outputs("NonMaxSuppression-9",
                     {boxes, scores, most, overlap, least, Floats({}, {0.5})}),
      {0, 0, 0.9, 0, 0, 0.7, 0, 0, 0.355886}, 1e-5, 1);
  EXPECT_EQ(tester.Run("NonMaxSuppression-1", {boxes, scores}), "i64[0,3] {}");
  EXPECT_EQ(tester.Run("NonMaxSuppression-9",
                       {boxes, scores, Int64s({}, {0}), overlap, least}),
            "i64[0,3] {}; f32[0,3] {}; i64[1] {0}");
}

}  // namespace
}  // namespace dovetail
