// What the operations that suppress boxes infer.
#include "dovetail/core/ops/detection/table.h"
#include "dovetail/core/ops/testing/infer.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using ::testing::HasSubstr;

const InferTester tester(DetectionOps());

TEST(MatrixNmsTest, BoundIsThatOfAttributes) {
  const std::vector<InputSpec> inputs = {F32(PartialShape{2, 7, 4}),
                                         F32(PartialShape{2, 3, 7})};
  EXPECT_EQ(tester.Shapes("MatrixNms-8", inputs, {{"output_type", "i32"}}),
            "f32[0..42,6] i32[0..42,1] i32[2]");
  EXPECT_EQ(tester.Shapes("MatrixNms-8", inputs,
                          {{"nms_top_k", "2"}, {"keep_top_k", "5"}}),
            "f32[0..10,6] i64[0..10,1] i64[2]");
  EXPECT_EQ(tester.Shapes("MatrixNms-8",
                          {F32(PartialShape()), F32(PartialShape{2, -1, -1})}),
            "f32[?,6] i64[?,1] i64[2]");
  EXPECT_THAT(tester.Error("MatrixNms-8", {F32(PartialShape{2, 7, 4}),
                                           F32(PartialShape{2, 3, 8})}),
              HasSubstr("input 1 has 8 as B, want 7 as input 0 has"));
}

TEST(MulticlassNmsTest, BoxesOfImagesOrOfClasses) {
  EXPECT_EQ(tester.Shapes("MulticlassNms-8",
                          {F32(PartialShape{2, 7, 4}),
                           F32(PartialShape{2, 3, 7})}),
            "f32[0..42,6] i64[0..42,1] i64[2]");
  EXPECT_EQ(tester.Shapes("MulticlassNms-9",
                          {F32(PartialShape{3, 7, 4}), F32(PartialShape{3, 7}),
                           I32(PartialShape{2})},
                          {{"keep_top_k", "4"}}),
            "f32[0..8,6] i64[0..8,1] i64[2]");
  EXPECT_EQ(tester.Shapes("MulticlassNms-9",
                          {F32(PartialShape{3, -1, 4}), F32(PartialShape()),
                           I32(PartialShape{-1})}),
            "f32[?,6] i64[?,1] i64[?]");
  EXPECT_THAT(tester.Error("MulticlassNms-9",
                           {F32(PartialShape{2, 7, 4}),
                            F32(PartialShape{2, 3, 7})},
                           {{"nms_eta", "1.5"}}),
              HasSubstr("attribute nms_eta is 1.5, want 0 to 1"));
}

TEST(NmsRotatedTest, BoxesHaveAnAngle) {
  const InputSpec limit = ConstantOf(ElementType::kF32, Shape(), {0.5});
  EXPECT_EQ(tester.Shapes("NMSRotated-13",
                          {F32(PartialShape{1, 9, 5}),
                           F32(PartialShape{1, 2, 9}), Int(3), limit, limit},
                          {{"output_type", "i32"}}),
            "i32[0..6,3] f32[0..6,3] i32[1]");
  EXPECT_EQ(tester.Shapes("NMSRotated-13",
                          {F32(PartialShape()), F32(PartialShape()), Int(3),
                           limit, limit}),
            "i64[?,3] f32[?,3] i64[1]");
  EXPECT_THAT(tester.Error("NMSRotated-13",
                           {F32(PartialShape{1, 9, 4}),
                            F32(PartialShape{1, 2, 9}), Int(3), limit, limit}),
              HasSubstr("input 0 has shape [1,9,4], want [B,N,5]"));
}

}  // namespace
}  // namespace dovetail
