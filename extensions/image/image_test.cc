#include "dovetail/extensions/image/image.h"

#include <fstream>
#include <sstream>
#include <string>

#include "dovetail/extensions/image/draw.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using ::testing::HasSubstr;

std::string TempPath(absl::string_view name) {
  return absl::StrCat(::testing::TempDir(), "/", name);
}

std::string Bytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

Tensor Gradient(int64_t height, int64_t width, int64_t channels) {
  Tensor image =
      Tensor::Allocate(ElementType::kU8, Shape{height, width, channels})
          .value();
  for (int64_t i = 0; i < image.element_count(); ++i) {
    image.mutable_data<uint8_t>()[i] = static_cast<uint8_t>(i * 7);
  }
  return image;
}

TEST(ImageTest, PngComesBackAsWritten) {
  for (const int64_t channels : {1, 3}) {
    const Tensor image = Gradient(5, 9, channels);
    const std::string path = TempPath("image.png");
    ASSERT_TRUE(WritePng(path, image).ok());
    EXPECT_TRUE(ReadImage(path).value().Equals(image));
    EXPECT_EQ(ReadImage(path, ImageMode::kRgb)->shape(), (Shape{5, 9, 3}));
    EXPECT_EQ(ReadImage(path, ImageMode::kGrey)->shape(), (Shape{5, 9, 1}));
  }
}

TEST(ImageTest, DamagedFilesAreErrors) {
  const std::string path = TempPath("damaged.png");
  ASSERT_TRUE(WritePng(path, Gradient(20, 20, 3)).ok());
  const std::string bytes = Bytes(path);
  for (size_t length = 0; length < bytes.size() - 12; length += 3) {
    EXPECT_FALSE(DecodeImage(absl::string_view(bytes).substr(0, length)).ok());
  }
  EXPECT_THAT(std::string(DecodeImage("GIF89a").status().message()),
              HasSubstr("neither a PNG nor a JPEG"));
  EXPECT_THAT(
      std::string(DecodeImage("\xff\xd8\xff nothing").status().message()),
      HasSubstr("damaged JPEG"));
  EXPECT_EQ(ReadImage("/no/such/file.png").status().code(),
            absl::StatusCode::kNotFound);
}

TEST(ImageTest, OnlyImagesAreWritten) {
  const Tensor tensor =
      Tensor::Allocate(ElementType::kF32, Shape{2, 2}).value();
  EXPECT_THAT(std::string(WritePng(TempPath("x.png"), tensor).message()),
              HasSubstr("f32[2,2]"));
  EXPECT_EQ(WritePng("/no/such/folder/x.png", Gradient(2, 2, 3)).code(),
            absl::StatusCode::kUnavailable);
}

TEST(ImageTest, ResizeKeepsWhatIsEvenAndMeetsInTheMiddle) {
  const Tensor two =
      Tensor::FromDoubles(ElementType::kU8, Shape{1, 2, 1}, {0, 100}).value();
  const Tensor four = ResizeBilinear(two, 1, 4).value();
  EXPECT_EQ(ToInt64Vector(four), (std::vector<int64_t>{0, 25, 75, 100}));
  const Tensor same = ResizeBilinear(Gradient(6, 7, 3), 6, 7).value();
  EXPECT_TRUE(same.Equals(Gradient(6, 7, 3)));
  EXPECT_FALSE(ResizeBilinear(two, 0, 4).ok());
}

TEST(DrawTest, FiguresAreClippedAtTheEdges) {
  Tensor image = Tensor::Allocate(ElementType::kU8, Shape{8, 8, 3}).value();
  DrawBox(image, -3, 2, 20, 5, Color{255, 0, 0});
  DrawText(image, 5, -4, "9%", Color{0, 255, 0}, Color{0, 0, 255}, 2);
  const uint8_t* pixels = image.data<uint8_t>();
  EXPECT_EQ(pixels[(2 * 8 + 0) * 3], 255);      // the box's upper edge
  EXPECT_EQ(pixels[(3 * 8 + 0) * 3], 0);        // its left edge is outside
  EXPECT_EQ(pixels[(0 * 8 + 5) * 3 + 2], 255);  // the text's bar
}

}  // namespace
}  // namespace dovetail
