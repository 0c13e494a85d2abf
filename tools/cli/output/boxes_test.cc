#include "dovetail/tools/cli/output/boxes.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail::cli {
namespace {

using testing::HasSubstr;

Tensor Floats(const Shape& shape, const std::vector<double>& values) {
  return Tensor::FromDoubles(ElementType::kF32, shape, values).value();
}

TEST(BoxesTest, PartsOfThePictureBecomePixels) {
  const std::vector<Tensor> outputs = {
      Floats({1, 1, 3, 7}, {0, 2, 0.5, 0.25, 0.5,  0.75, 1,     //
                            0, 1, 0.9, 0,    0.25, 0.5,  0.75,  //
                            0, 3, 0.1, 0,    0,    1,    1})};
  const auto boxes = BoxesIn(outputs, {100, 400}, std::nullopt, 0.5);
  ASSERT_TRUE(boxes.ok()) << boxes.status();
  ASSERT_EQ(boxes->size(), 2u);
  EXPECT_EQ((*boxes)[0].label, 1);
  EXPECT_EQ((*boxes)[0].x2, 200);
  EXPECT_EQ((*boxes)[0].y2, 75);
  EXPECT_EQ((*boxes)[1].x1, 100);
  EXPECT_EQ((*boxes)[1].y1, 50);
}

TEST(BoxesTest, PixelsOfTheInputBecomeThePictures) {
  const std::vector<Tensor> outputs = {Floats({1, 5}, {10, 20, 30, 40, 0.75}),
                                       Floats({1}, {7})};
  const auto boxes = BoxesIn(outputs, {100, 400}, PictureSize{50, 100}, 0.5);
  ASSERT_TRUE(boxes.ok()) << boxes.status();
  EXPECT_EQ(boxes->front().label, 7);
  EXPECT_EQ(boxes->front().x1, 40);
  EXPECT_EQ(boxes->front().y2, 80);
  EXPECT_THAT(
      BoxesIn(outputs, {100, 400}, std::nullopt, 0.5).status().message(),
      HasSubstr("give the model's source"));
}

TEST(BoxesTest, OtherOutputs) {
  EXPECT_THAT(
      BoxesIn({Floats({2, 3}, {0, 0, 0, 0, 0, 0})}, {1, 1}, std::nullopt, 0)
          .status()
          .message(),
      HasSubstr("the outputs are [2,3]"));
}

}  // namespace
}  // namespace dovetail::cli
