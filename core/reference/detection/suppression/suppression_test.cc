// What the kernels that suppress boxes compute.
#include <limits>
#include <vector>

#include "dovetail/core/ops/detection/table.h"
#include "dovetail/core/reference/detection/suppression/greedy.h"
#include "dovetail/core/reference/detection/suppression/rotated_box.h"
#include "dovetail/core/reference/detection/table.h"
#include "dovetail/core/reference/testing/run_op.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const OpTester tester(DetectionOps(), DetectionKernels());
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TEST(GreedyTest, BestFirstAndApart) {
  EXPECT_THAT(BestFirst({1.0f, static_cast<float>(kNan), 3.0f, 1.0f}, -1),
              ElementsAre(2, 0, 3, 1));
  const Box boxes[] = {{0, 0, 2, 2}, {0, 0, 2, 1}, {5, 5, 6, 6}};
  GreedyLimits limits;
  limits.overlap = 0.4f;
  EXPECT_THAT(KeepApart(boxes, limits), ElementsAre(0, 2));
  limits.overlap = 0.5f;
  EXPECT_THAT(KeepApart(boxes, limits), ElementsAre(0, 1, 2));
}

TEST(RotatedBoxTest, Overlap) {
  constexpr float kQuarter = 1.57079633f;
  const RotatedBox wide = {0, 0, 4, 2, 0};
  EXPECT_FLOAT_EQ(RotatedOverlap(wide, wide), 1);
  // A square of 4 out of 8 + 8 - 4.
  EXPECT_NEAR(RotatedOverlap(wide, {0, 0, 4, 2, kQuarter}), 1.0 / 3, 1e-6);
  EXPECT_EQ(RotatedOverlap(wide, {9, 0, 4, 2, 0}), 0);
  EXPECT_EQ(RotatedOverlap(wide, {0, 0, 4, static_cast<float>(kNan), 0}), 0);
  EXPECT_EQ(RotatedOverlap(wide, {0, 0, 4, 2, static_cast<float>(kNan)}), 0);
}

// Boxes 0 and 1 overlap by a half; box 2 is apart.
Tensor Boxes() {
  return Floats({1, 3, 4}, {0, 0, 2, 2, 0, 0, 2, 1, 5, 5, 6, 6});
}

TEST(MatrixNmsTest, LowersScores) {
  // Of box 1 by 1 - 0.5; NaN is no score.
  ExpectNear(tester.Outputs("MatrixNms-8",
                            {Boxes(), Floats({1, 2, 3}, {0.9, 0.8, 0.7,  //
                                                         kNan, 0.1, 0})},
                            {{"score_threshold", "0.2"}}),
             {0, 0.9, 0, 0, 2, 2,  //
              0, 0.7, 5, 5, 6, 6,  //
              0, 0.4, 0, 0, 2, 1});
  EXPECT_EQ(tester.Run("MatrixNms-8", {Boxes(), Floats({1, 1, 3}, {0, 0, 0})}),
            "f32[0,6] {}; i64[0,1] {}; i64[1] {0}");
}

TEST(MulticlassNmsTest, KeepsTheBestOfEachClass) {
  const Tensor scores = Floats({1, 2, 3}, {0.5, 0.75, 0.25, 0, 0, 1});
  EXPECT_EQ(tester.Run("MulticlassNms-8", {Boxes(), scores},
                       {{"iou_threshold", "0.4"},
                        {"score_threshold", "0.25"},
                        {"sort_result_type", "classid"},
                        {"output_type", "i32"}}),
            "f32[3,6] {0, 0.75, 0, 0, 2, 1, 0, 0.25, 5, 5, 6, 6, "
            "1, 1, 5, 5, 6, 6}; i32[3,1] {1, 2, 2}; i32[1] {3}");
  EXPECT_EQ(tester.Run("MulticlassNms-9", {Boxes(), scores},
                       {{"keep_top_k", "1"}, {"background_class", "1"}}),
            "f32[1,6] {0, 0.75, 0, 0, 2, 1}; i64[1,1] {1}; i64[1] {1}");
}

// Boxes of pixels include their last ones, so that those of pixels 0 to 2 and
// 2.5 to 4 overlap: half a pixel of three and two and a half.
TEST(MulticlassNmsTest, GapsWithinAPixelOverlap) {
  EXPECT_EQ(tester.Run("MulticlassNms-8",
                       {Floats({1, 2, 4}, {0, 0, 2, 2, 2.5, 0, 4, 2}),
                        Floats({1, 1, 2}, {0.5, 0.75})},
                       {{"iou_threshold", "0.0999"},
                        {"normalized", "false"},
                        {"output_type", "i32"}}),
            "f32[1,6] {0, 0.75, 2.5, 0, 4, 2}; i32[1,1] {1}; i32[1] {1}");
}

TEST(MulticlassNmsTest, BoxesOfClasses) {
  const Tensor scores = Floats({1, 3}, {0.5, 0.75, 0.25});
  EXPECT_EQ(tester.Run("MulticlassNms-9",
                       {Boxes(), scores, Int64s({2}, {1, 2})}),
            "f32[3,6] {0, 0.5, 0, 0, 2, 2, 0, 0.75, 0, 0, 2, 1, "
            "0, 0.25, 5, 5, 6, 6}; i64[3,1] {0, 1, 2}; i64[2] {1, 2}");
  EXPECT_THAT(tester.Run("MulticlassNms-9",
                         {Boxes(), scores, Int64s({2}, {1, 3})}),
              HasSubstr("image 1 has 3 boxes, want 0 to 2"));
}

TEST(NmsRotatedTest, DropsWhatIsCovered) {
  const Tensor boxes = Floats({1, 2, 5}, {0, 0, 4, 2, 0,  //
                                          0, 0, 4, 2, 1.57079633});
  const Tensor scores = Floats({1, 1, 2}, {0.5, 0.75});
  EXPECT_EQ(tester.Run("NMSRotated-13",
                       {boxes, scores, Int64s({}, {9}), Floats({}, {0.3}),
                        Floats({}, {0})}),
            "i64[1,3] {0, 0, 1}; f32[1,3] {0, 0, 0.75}; i64[1] {1}");
  EXPECT_EQ(tester.Run("NMSRotated-13",
                       {boxes, scores, Int64s({}, {9}), Floats({}, {0.4}),
                        Floats({}, {0})},
                       {{"sort_result_descending", "false"}}),
            "i64[2,3] {0, 0, 1, 0, 0, 0}; f32[2,3] {0, 0, 0.75, 0, 0, 0.5}; "
            "i64[1] {2}");
}

}  // namespace
}  // namespace dovetail
