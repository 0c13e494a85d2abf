// What the operations of object detection infer.
#include "dovetail/core/ops/detection/table.h"
#include "dovetail/core/ops/testing/infer.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using ::testing::HasSubstr;

const InferTester tester(DetectionOps());

TEST(PriorBoxTest, CountsBoxesPerCell) {
  // Ratios 1, 2 and 1/2 for two sizes, and one box between min and max size.
  EXPECT_EQ(tester.Shapes("PriorBox-8", {Ints({3, 4}), Ints({30, 40})},
                          {{"min_size", "8,16"},
                           {"max_size", "12"},
                           {"aspect_ratio", "2"},
                           {"flip", "true"}}),
            "f32[2,336]");
  EXPECT_EQ(tester.Shapes("PriorBox-0",
                          {I64(PartialShape{2}), I64(PartialShape{2})},
                          {{"min_size", "8"}}),
            "f32[2,?]");
  EXPECT_THAT(tester.Error("PriorBox-8", {Ints({3, 4}), Ints({30, 40, 50})},
                           {{"min_size", "8"}}),
              HasSubstr("input 1 has shape [3], want [2]"));
}

TEST(PriorBoxClusteredTest, HasABoxForEachSize) {
  EXPECT_EQ(tester.Shapes("PriorBoxClustered-0",
                          {Ints({2, 3}), Ints({20, 30})},
                          {{"width", "1,2"}, {"height", "3,4"}}),
            "f32[2,48]");
  EXPECT_THAT(tester.Error("PriorBoxClustered-0",
                           {Ints({2, 3}), Ints({20, 30})},
                           {{"width", "1,2"}, {"height", "3"}}),
              HasSubstr("width has 2 numbers, height has 1"));
}

TEST(DetectionOutputTest, PriorsMayHaveATypeOfTheirOwn) {
  const auto infer = [](ElementType scores, ElementType priors) {
    return std::vector<InputSpec>{
        {ElementType::kF16, PartialShape{2, 40}},
        {scores, PartialShape{2, 30}},
        {priors, PartialShape{1, 2, 40}}};
  };
  const std::map<std::string, std::string> attributes = {
      {"keep_top_k", "5"}, {"normalized", "true"}};
  EXPECT_EQ(tester.Shapes("DetectionOutput-8",
                          infer(ElementType::kF16, ElementType::kF32),
                          attributes),
            "f16[1,1,10,7]");
  EXPECT_THAT(tester.Error("DetectionOutput-8",
                           infer(ElementType::kF32, ElementType::kF32),
                           attributes),
              HasSubstr("input 1 has type f32, want f16"));
}

TEST(DetectionOutputTest, ExtentIsTheMostThatCanBe) {
  const std::vector<InputSpec> inputs = {
      F32(PartialShape{2, 40}), F32(PartialShape{2, 30}),
      F32(PartialShape{1, 2, 40})};
  EXPECT_EQ(tester.Shapes("DetectionOutput-8", inputs,
                          {{"keep_top_k", "5"}, {"normalized", "true"}}),
            "f32[1,1,10,7]");
  EXPECT_EQ(tester.Shapes("DetectionOutput-8", inputs,
                          {{"keep_top_k", "-1"},
                           {"top_k", "4"},
                           {"normalized", "true"}}),
            "f32[1,1,24,7]");
  EXPECT_EQ(tester.Shapes("DetectionOutput-8",
                          {F32(PartialShape{-1, -1}), F32(PartialShape{-1, -1}),
                           F32(PartialShape{1, 2, -1})},
                          {{"keep_top_k", "-1"}, {"normalized", "true"}}),
            "f32[1,1,?,7]");
  EXPECT_THAT(tester.Error("DetectionOutput-0", inputs,
                           {{"num_classes", "4"},
                            {"keep_top_k", "5"},
                            {"normalized", "true"}}),
              HasSubstr("want [N,40]: a score a prior box and class"));
  EXPECT_THAT(tester.Error("DetectionOutput-0", inputs,
                           {{"num_classes", "2305843009213693952"},
                            {"keep_top_k", "5"},
                            {"normalized", "true"},
                            {"share_location", "false"}}),
              HasSubstr("2305843009213693952 classes, more than a tensor can"));
}

TEST(DetectionOutputTest, PriorsAreThoseOfOneImageOrOfEach) {
  const auto infer = [](const PartialShape& priors, const char* in_target) {
    return tester.Shapes(
        "DetectionOutput-0",
        {F32({4, 40}), F32({4, 30}), F32(priors)},
        {{"num_classes", "3"},
         {"keep_top_k", "5"},
         {"normalized", "true"},
         {"variance_encoded_in_target", in_target}});
  };
  EXPECT_EQ(infer({1, 2, 40}, "false"), "f32[1,1,20,7]");
  EXPECT_EQ(infer({4, 1, -1}, "true"), "f32[1,1,20,7]");
  EXPECT_THAT(infer({3, 2, 40}, "false"),
              HasSubstr("want its first extent to be 1 or 4"));
  EXPECT_THAT(infer({1, 2, 40}, "true"),
              HasSubstr("want its second extent to be 1: boxes without"));
  EXPECT_THAT(infer({1, 1, 40}, "false"),
              HasSubstr("want its second extent to be 2: boxes and"));
}

TEST(NonMaxSuppressionTest, ExtentDependsOnTheData) {
  EXPECT_EQ(tester.Shapes("NonMaxSuppression-9",
                          {F32(PartialShape{1, 9, 4}),
                           F32(PartialShape{1, 2, 9}), Int(3)}),
            "i64[0..6,3] f32[0..6,3] i64[1]");
  EXPECT_EQ(tester.Shapes("NonMaxSuppression-1",
                          {F32(PartialShape{-1, -1, 4}),
                           F32(PartialShape{-1, 2, -1}), Int(3)}),
            "i64[?,3]");
  EXPECT_THAT(tester.Error("NonMaxSuppression-5",
                           {F32(PartialShape{1, 9, 4}),
                            F32(PartialShape{1, 2, 8})}),
              HasSubstr("N"));
}

}  // namespace
}  // namespace dovetail
