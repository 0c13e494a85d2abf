// Pictures in other colours than RGB, as the model's inputs.
#include "dovetail/tools/cli/input/picture_input.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "dovetail/core/reference/evaluate.h"
#include "dovetail/testing/graphs/small_models.h"

namespace dovetail::cli {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// y = |x|, so that pictures come out as the network gets them.
Model NetworkOf(const char* shape) {
  const std::string dims = shape;
  return ModelOf("model \"n\"\n  %x = Parameter-0() {shape: [" + dims +
                 "], element_type: f32} : f32[" + dims +
                 "] \"x\"\n  %y = Abs-0(%x) {} : f32[" + dims +
                 "] \"y\"\n  %o = Result-0(%y) {}  # out\n");
}

PictureOptions OptionsOf(const std::vector<std::string>& words) {
  return *ChoosePictureOptions(*Arguments::Parse(PictureFlags(), words));
}
std::string ErrorOf(const std::vector<std::string>& words) {
  const auto options =
      ChoosePictureOptions(*Arguments::Parse(PictureFlags(), words));
  return std::string(options.status().message());
}

Tensor Bytes(const Shape& shape, const std::vector<double>& values) {
  return *Tensor::FromDoubles(ElementType::kU8, shape, values);
}

std::vector<double> Results(const Model& model,
                            const std::vector<Tensor>& inputs) {
  const auto results = EvaluateModel(model, inputs, {});
  EXPECT_TRUE(results.ok()) << results.status();
  return results.ok() ? ToDoubleVector(results->front())
                      : std::vector<double>();
}

TEST(PictureInputTest, PlanesOfNv12AreInputs) {
  Model model = NetworkOf("1,3,2,2");
  ASSERT_TRUE(
      TakePictures(OptionsOf({"--color=nv12_two_planes", "--picture-size=2x2"}),
                   model)
          .ok());
  ASSERT_EQ(model.parameters().size(), 2u);
  EXPECT_EQ(model.InputName(1), "x/UV");
  EXPECT_EQ(model.parameters()[1]->port().shape, PartialShape({1, 1, 1, 2}));
  // Grey as television has it: 16 is black, 235 white.
  const std::vector<double> grey =
      Results(model, {Bytes({1, 2, 2, 1}, {16, 16, 235, 235}),
                      Bytes({1, 1, 1, 2}, {128, 128})});
  EXPECT_THAT(grey, ElementsAre(0, 0, 255, 255, 0, 0, 255, 255, 0, 0, 255, 255));
}

TEST(PictureInputTest, OnePlaneIsOneInputWhoseColoursAreInTheModelsOrder) {
  for (const bool rgb : {false, true}) {
    Model model = NetworkOf("1,3,2,2");
    std::vector<std::string> words = {"--color=I420_SINGLE_PLANE",
                                      "--picture-size=2x2"};
    if (rgb) words.push_back("--rgb");
    ASSERT_TRUE(TakePictures(OptionsOf(words), model).ok());
    ASSERT_EQ(model.parameters().size(), 1u);
    // Pure red: Y 81, U 90, V 240.
    const std::vector<double> red =
        Results(model, {Bytes({1, 3, 2, 1}, {81, 81, 81, 81, 90, 240})});
    ASSERT_EQ(red.size(), 12u);
    EXPECT_NEAR(red[rgb ? 0 : 8], 254, 2);
    EXPECT_NEAR(red[rgb ? 8 : 0], 0, 2);
  }
}

TEST(PictureInputTest, ANetworkOfGreyPicturesTakesColours) {
  Model model = NetworkOf("1,1,1,2");
  ASSERT_TRUE(TakePictures(OptionsOf({"--color=BGRX", "--resize=none"}), model)
                  .ok());
  EXPECT_THAT(Results(model, {Bytes({1, 1, 2, 4},
                                    {0, 0, 200, 9, 200, 200, 200, 9})}),
              ElementsAre(DoubleNear(60, 0.5), DoubleNear(200, 0.5)));
}

TEST(PictureInputTest, ANetworkOfColoursTakesGreyPictures) {
  Model model = NetworkOf("1,3,1,2");
  ASSERT_TRUE(TakePictures(OptionsOf({"--color=gray", "--resize=none"}), model)
                  .ok());
  EXPECT_THAT(Results(model, {Bytes({1, 1, 2, 1}, {7, 200})}),
              ElementsAre(7, 200, 7, 200, 7, 200));
}

TEST(PictureInputTest, WhatCannotBeIsNamed) {
  EXPECT_THAT(ErrorOf({"--color=NV21"}), HasSubstr("NV12_SINGLE_PLANE"));
  EXPECT_THAT(ErrorOf({"--color=UNDEFINED"}), HasSubstr("GRAY, RGBX or BGRX"));
  EXPECT_THAT(ErrorOf({"--picture-size=2x2"}),
              HasSubstr("needs --resize or --color"));
  Model odd = NetworkOf("1,3,2,2");
  const absl::Status status = TakePictures(
      OptionsOf({"--color=NV12_TWO_PLANES", "--picture-size=3x4"}), odd);
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("needs even height and width"));
}

}  // namespace
}  // namespace dovetail::cli
