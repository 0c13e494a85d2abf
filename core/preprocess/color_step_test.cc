// Every colour format to every other, on one picture of two pixels.
#include "dovetail/core/preprocess/color_step.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "dovetail/core/ops/text/parse.h"
#include "dovetail/core/preprocess/preprocessor.h"
#include "dovetail/core/reference/evaluate.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using Numbers = std::vector<double>;

// What a picture [1,1,2,C] becomes in a model that returns what it gets.
Numbers Converted(const Numbers& picture, ElementType type, ColorFormat from,
                  ColorFormat to) {
  const absl::string_view type_name = ElementTypeName(type);
  auto identity = ParseModelText(absl::StrCat(
      "%0 = Parameter-0() {shape: [1,1,2,", ChannelsOf(to),
      "], element_type: ", type_name, "}\n%1 = Result-0(%0) {}\n"));
  EXPECT_TRUE(identity.ok()) << identity.status();
  Preprocessor steps(*std::move(identity));
  steps.input(0).tensor().set_layout("NHWC").set_color_format(from);
  steps.input(0).model().set_layout("NHWC");
  steps.input(0).ConvertColor(to);
  const auto model = std::move(steps).Build();
  EXPECT_TRUE(model.ok()) << model.status();
  if (!model.ok()) return {};
  const auto input =
      Tensor::FromDoubles(type, {1, 1, 2, ChannelsOf(from)}, picture);
  const auto results = EvaluateModel(*model, {*input}, {});
  EXPECT_TRUE(results.ok()) << results.status();
  return results.ok() ? ToDoubleVector(results->front()) : Numbers();
}

struct Picture {
  ColorFormat format;
  Numbers bytes;
};

// Red with a trace of green, and a grey.
const Picture kPictures[] = {
    {ColorFormat::kRgb, {200, 10, 0, 90, 90, 90}},
    {ColorFormat::kBgr, {0, 10, 200, 90, 90, 90}},
    {ColorFormat::kRgbx, {200, 10, 0, 255, 90, 90, 90, 255}},
    {ColorFormat::kBgrx, {0, 10, 200, 255, 90, 90, 90, 255}},
};

TEST(ColorStepTest, EachOrderOfChannelsBecomesEachOther) {
  for (const Picture& from : kPictures) {
    for (const Picture& to : kPictures) {
      EXPECT_EQ(Converted(from.bytes, ElementType::kU8, from.format, to.format),
                to.bytes)
          << ColorFormatName(from.format) << " to "
          << ColorFormatName(to.format);
    }
  }
}

// 0.299 * 200 + 0.587 * 10 = 65.67
TEST(ColorStepTest, EachBecomesGray) {
  for (const Picture& from : kPictures) {
    EXPECT_EQ(Converted(from.bytes, ElementType::kU8, from.format,
                        ColorFormat::kGray),
              Numbers({66, 90}))
        << ColorFormatName(from.format);
  }
}

TEST(ColorStepTest, GrayBecomesEach) {
  const auto from_gray = [](ColorFormat to) {
    return Converted({7, 200}, ElementType::kU8, ColorFormat::kGray, to);
  };
  const Numbers colors = {7, 7, 7, 200, 200, 200};
  EXPECT_EQ(from_gray(ColorFormat::kRgb), colors);
  EXPECT_EQ(from_gray(ColorFormat::kBgr), colors);
  const Numbers opaque = {7, 7, 7, 255, 200, 200, 200, 255};
  EXPECT_EQ(from_gray(ColorFormat::kRgbx), opaque);
  EXPECT_EQ(from_gray(ColorFormat::kBgrx), opaque);
  EXPECT_EQ(from_gray(ColorFormat::kGray), Numbers({7, 200}));
}

TEST(ColorStepTest, OpaqueIsWhatTheTypeHasAtMostAndOneForFloats) {
  const auto filled = [](ElementType type) {
    return Converted({0, 1}, type, ColorFormat::kGray, ColorFormat::kRgbx)[3];
  };
  EXPECT_EQ(filled(ElementType::kU16), 65535);
  EXPECT_EQ(filled(ElementType::kI8), 127);
  EXPECT_EQ(filled(ElementType::kF32), 1);
}

}  // namespace
}  // namespace dovetail
