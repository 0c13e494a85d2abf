#include "dovetail/tools/cli/input/input_values.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "dovetail/extensions/image/image.h"
#include "dovetail/extensions/npy/npy.h"

namespace dovetail::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

PortInfo Port(ElementType type, const PartialShape& shape) {
  return {"data", {"data", "data:0"}, type, shape};
}

std::string TempPath(const std::string& name) {
  return ::testing::TempDir() + "/" + name;
}

std::vector<double> Elements(const Tensor& tensor) {
  std::vector<double> elements;
  for (int64_t i = 0; i < tensor.element_count(); ++i) {
    elements.push_back(tensor.ElementAsDouble(i));
  }
  return elements;
}

// A picture of two pixels side by side.
std::string TwoPixels() {
  const std::string path = TempPath("two.png");
  const Tensor picture = *Tensor::FromDoubles(ElementType::kU8, {1, 2, 3},
                                              {10, 20, 30, 40, 50, 60});
  EXPECT_TRUE(WritePng(path, picture).ok());
  return path;
}

Arguments Parse(const std::vector<std::string>& words) {
  std::vector<Flag> flags = InputFlags();
  for (const Flag& flag : PictureFlags()) flags.push_back(flag);
  return *Arguments::Parse(flags, words);
}

TEST(InputValuesTest, ANpyFileIsConvertedToTheDeclaredType) {
  const std::string path = TempPath("bytes.npy");
  ASSERT_TRUE(
      WriteNpy(path, *Tensor::FromDoubles(ElementType::kU8, {3}, {1, 2, 250}))
          .ok());
  const auto tensor = ReadInput(Port(ElementType::kF32, {3}), path, {});
  ASSERT_TRUE(tensor.ok()) << tensor.status();
  EXPECT_EQ(tensor->type(), ElementType::kF32);
  EXPECT_THAT(Elements(*tensor), ElementsAre(1, 2, 250));
  EXPECT_THAT(
      std::string(
          ReadInput(Port(ElementType::kF32, {4}), path, {}).status().message()),
      HasSubstr("input 'data' wants f32[4]"));
}

TEST(InputValuesTest, APictureIsGivenBlueFirst) {
  const auto planes =
      ReadInput(Port(ElementType::kF32, {1, 3, 1, 2}), TwoPixels(), {});
  ASSERT_TRUE(planes.ok()) << planes.status();
  EXPECT_THAT(Elements(*planes), ElementsAre(30, 60, 20, 50, 10, 40));
}

TEST(InputValuesTest, MeanScaleAndOrderOfChannels) {
  PictureOptions options;
  options.rgb = true;
  options.mean = {10, 20, 30};
  options.scale = {10};
  const auto pixels =
      ReadInput(Port(ElementType::kF32, {1, 1, 2, 3}), TwoPixels(), options);
  // [N,C,H,W] with one channel, or [N,H,W,C]: the first that fits.
  ASSERT_FALSE(pixels.ok());
  const auto interleaved =
      ReadInput(Port(ElementType::kF32, {1, 2, 2, 3}), TwoPixels(), options);
  ASSERT_TRUE(interleaved.ok()) << interleaved.status();
  EXPECT_THAT(Elements(*interleaved),
              ElementsAre(0, 0, 0, 3, 3, 3, 0, 0, 0, 3, 3, 3));
}

TEST(InputValuesTest, ADynamicExtentTakesThePicturesAndABatchRepeatsIt) {
  const auto tensor =
      ReadInput(Port(ElementType::kU8, {2, 3, Dimension(), Dimension()}),
                TwoPixels(), {});
  ASSERT_TRUE(tensor.ok()) << tensor.status();
  EXPECT_EQ(tensor->shape(), Shape({2, 3, 1, 2}));
  EXPECT_EQ(tensor->ElementAsDouble(0), tensor->ElementAsDouble(6));
}

TEST(InputValuesTest, SaysWhyAPictureDoesNotFit) {
  EXPECT_THAT(
      std::string(ReadInput(Port(ElementType::kF32, {1, 5}), TwoPixels(), {})
                      .status()
                      .message()),
      HasSubstr("takes no picture"));
  PictureOptions options;
  options.mean = {1, 2};
  EXPECT_THAT(std::string(ReadInput(Port(ElementType::kF32, {1, 3, 2, 2}),
                                    TwoPixels(), options)
                              .status()
                              .message()),
              HasSubstr("--mean has 2 numbers, the input has 3 channels"));
}

TEST(InputValuesTest, RawFilesMustHaveTheExactSize) {
  const std::string path = TempPath("raw.bin");
  std::ofstream(path, std::ios::binary) << std::string("\1\0\2\0", 4);
  const auto tensor = ReadInput(Port(ElementType::kI16, {2}), path, {});
  ASSERT_TRUE(tensor.ok()) << tensor.status();
  EXPECT_THAT(Elements(*tensor), ElementsAre(1, 2));
  EXPECT_THAT(
      std::string(
          ReadInput(Port(ElementType::kI16, {3}), path, {}).status().message()),
      HasSubstr("has 4 bytes, input 'data' i16[3] takes 6"));
  EXPECT_THAT(
      std::string(ReadInput(Port(ElementType::kI16, {Dimension()}), path, {})
                      .status()
                      .message()),
      HasSubstr("a raw file does not say its shape; --shape does"));
}

TEST(InputValuesTest, FindsInputsByIndexTensorNameAndLayerName) {
  const std::vector<PortInfo> ports = {{"a", {"a:0"}, ElementType::kF32, {1}},
                                       {"b", {}, ElementType::kF32, {1}}};
  const auto files =
      ChooseInputFiles(ports, Parse({"--input=a:0=x.npy", "--input=1=y.npy"}));
  ASSERT_TRUE(files.ok()) << files.status();
  EXPECT_THAT(*files, ElementsAre(Pair(0, "x.npy"), Pair(1, "y.npy")));
  EXPECT_EQ(
      ChooseInputFiles(ports, Parse({"--input=c=x.npy"})).status().message(),
      "no input 'c'; there are: a, b");
  EXPECT_THAT(
      std::string(ChooseInputFiles(ports, Parse({"--input=a=x", "--input=0=y"}))
                      .status()
                      .message()),
      HasSubstr("input 'a' is given twice"));
}

TEST(InputValuesTest, PictureOptionsAreNumbers) {
  const auto options =
      ChoosePictureOptions(Parse({"--mean=1,2.5,3", "--scale=2", "--rgb"}));
  ASSERT_TRUE(options.ok()) << options.status();
  EXPECT_THAT(options->mean, ElementsAre(1, 2.5, 3));
  EXPECT_TRUE(options->rgb);
  EXPECT_FALSE(ChoosePictureOptions(Parse({"--mean=x"})).ok());
  EXPECT_FALSE(ChoosePictureOptions(Parse({"--scale=1,0"})).ok());
}

TEST(InputValuesTest, MadeUpInputsAreTheSameEachTime) {
  const PortInfo port = Port(ElementType::kF32, {Dimension(), 64});
  const Tensor first = *MakeInput(port), second = *MakeInput(port);
  EXPECT_EQ(first.shape(), Shape({1, 64}));
  EXPECT_EQ(Elements(first), Elements(second));
  EXPECT_NE(first.ElementAsDouble(0), first.ElementAsDouble(1));
  for (const double value : Elements(first)) {
    EXPECT_GE(value, 0);
    EXPECT_LT(value, 1);
  }
}

}  // namespace
}  // namespace dovetail::cli
