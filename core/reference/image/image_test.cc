#include <algorithm>
#include <cmath>
#include <vector>

#include "dovetail/core/ops/image/table.h"
#include "dovetail/core/reference/image/table.h"
#include "dovetail/core/reference/testing/run_op.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using ::testing::HasSubstr;

const OpTester tester(ImageOps(), ImageKernels());

std::vector<double> Iota(int count) {
  std::vector<double> values(count);
  for (int i = 0; i < count; ++i) values[i] = i;
  return values;
}

// A row of four, sampled at these x.
absl::StatusOr<std::vector<Tensor>> SampleRow(TextAttributes attributes,
                                              const std::vector<double>& xs) {
  std::vector<double> grid;
  for (double x : xs) {
    grid.push_back(x);
    grid.push_back(0);
  }
  const int64_t count = static_cast<int64_t>(xs.size());
  return tester.Outputs("GridSample-9",
                        {Floats({1, 1, 1, 4}, {1, 2, 4, 8}),
                         Floats({1, 1, count, 2}, grid)},
                        attributes);
}

// Without align_corners elements lie at -3/4, -1/4, 1/4 and 3/4, with it at -1,
// -1/3, 1/3 and 1.
TEST(GridSampleTest, FindsPositions) {
  ExpectNear(SampleRow({}, {-0.75, 0, 0.25, 0.5}), {1, 3, 4, 6});
  ExpectNear(SampleRow({{"align_corners", "true"}}, {-1, 0, 1.0 / 3, 1}),
             {1, 3, 4, 8});
  ExpectNear(SampleRow({{"mode", "nearest"}}, {-0.6, -0.4, 0.2, 0.9}),
             {1, 2, 4, 8});
}

TEST(GridSampleTest, Pads) {
  // Half an element, and one and a half, before the first; two after the last.
  const std::vector<double> xs = {-1, -1.5, 1.75};
  ExpectNear(SampleRow({}, xs), {0.5, 0, 0});
  ExpectNear(SampleRow({{"padding_mode", "border"}}, xs), {1, 1, 8});
  // 2 1 | 1 2 4 8 | 8 4
  ExpectNear(SampleRow({{"padding_mode", "reflection"}}, xs), {1, 1.5, 4});
  // 4 2 | 1 2 4 8 | 4 2, at 1.5 elements to each side.
  ExpectNear(SampleRow({{"padding_mode", "reflection"},
                        {"align_corners", "true"}},
                       {-2, 2}),
             {3, 3});
  ExpectNear(SampleRow({{"mode", "nearest"}}, {-1.3, 1.3}), {0, 0});
}

TEST(GridSampleTest, WeighsSixteenNeighbours) {
  // Halfway between the second and the third: the weights of a cubic with
  // coefficient -3/4 are -3/32, 19/32, 19/32, -3/32.
  ExpectNear(SampleRow({{"mode", "bicubic"}, {"padding_mode", "border"}}, {0}),
             {(19 * (2 + 4) - 3 * (1 + 8)) / 32.0});
  // At an element it is that element.
  ExpectNear(SampleRow({{"mode", "bicubic"}, {"padding_mode", "border"}},
                       {-0.75, 0.25}),
             {1, 4});
}

TEST(GridSampleTest, TakesAnyCoordinateAndType) {
  for (const char* padding : {"zeros", "border", "reflection"}) {
    const auto outputs =
        SampleRow({{"padding_mode", padding}, {"mode", "bicubic"}},
                  {1e30, -1e30, INFINITY, -INFINITY, NAN});
    ASSERT_TRUE(outputs.ok()) << outputs.status();
    for (double value : ToDoubleVector((*outputs)[0])) {
      EXPECT_TRUE(std::isfinite(value)) << padding;
    }
    ExpectNear(tester.Outputs("GridSample-9",
                              {Floats({1, 1, 1, 1}, {5}),
                               Floats({1, 1, 1, 2}, {0, INFINITY})},
                              {{"padding_mode", padding},
                               {"align_corners", "true"}}),
               {5});
  }
  // (x, y) of the second image of two, in both channels.
  const auto outputs = tester.Outputs(
      "GridSample-9",
      {TensorOf(ElementType::kI32, {2, 2, 2, 2}, Iota(16)),
       TensorOf(ElementType::kF16, {2, 1, 1, 2}, {1, -1, -1, 1})},
      {{"align_corners", "true"}});
  ExpectNear(outputs, {1, 5, 10, 14});
  EXPECT_THAT(tester.Run("GridSample-9", {Floats({1, 1, 0, 2}, {}),
                                          Floats({1, 1, 1, 2}, {0, 0})}),
              HasSubstr("has no element to sample"));
}

TEST(ExtractImagePatchesTest, PutsPatchesIntoChannels) {
  // Channels 0 … 8 and 9 … 17. The second element of the last patch in a row is
  // outside of the image.
  EXPECT_EQ(tester.Run("ExtractImagePatches-3",
                       {Floats({1, 2, 3, 3}, Iota(18))},
                       {{"sizes", "1,2"},
                        {"strides", "2,2"},
                        {"rates", "1,1"},
                        {"auto_pad", "same_upper"}}),
            "f32[1,4,2,2] {0, 2, 6, 8, 9, 11, 15, 17, 1, 0, 7, 0, 10, 0, 16, "
            "0}");
  EXPECT_EQ(tester.Run("ExtractImagePatches-3",
                       {Int64s({1, 1, 3, 3}, Iota(9))},
                       {{"sizes", "2,1"},
                        {"strides", "1,2"},
                        {"rates", "2,1"},
                        {"auto_pad", "valid"}}),
            "i64[1,2,1,2] {0, 2, 6, 8}");
  // The odd zero is at the beginning.
  EXPECT_EQ(tester.Run("ExtractImagePatches-3",
                       {Floats({1, 1, 1, 3}, {1, 2, 3})},
                       {{"sizes", "1,2"},
                        {"strides", "1,1"},
                        {"rates", "1,1"},
                        {"auto_pad", "same_lower"}}),
            "f32[1,2,1,3] {0, 1, 2, 1, 2, 3}");
}

TEST(Col2ImTest, AddsPatches) {
  // A patch of ones at each of four positions counts how many cover a pixel.
  ExpectNear(tester.Outputs("Col2Im-15",
                            {Floats({4, 4}, std::vector<double>(16, 1)),
                             Int64s({2}, {3, 3}), Int64s({2}, {2, 2})}),
             {1, 2, 1, 2, 4, 2, 1, 2, 1});
  // One row; patches of two elements, two apart, at every second position.
  EXPECT_EQ(tester.Run("Col2Im-15",
                       {Int32s({1, 2, 3}, {1, 2, 3, 4, 5, 6}),
                        Int64s({2}, {1, 5}), Int64s({2}, {1, 2})},
                       {{"strides", "1,2"},
                        {"dilations", "1,2"},
                        {"pads_begin", "0,1"},
                        {"pads_end", "0,1"}}),
            "i32[1,1,1,5] {0, 6, 0, 8, 0}");
  // Elements of patches in the padding are dropped.
  EXPECT_EQ(tester.Run("Col2Im-15",
                       {TensorOf(ElementType::kF16, {1, 2, 2}, {1, 2, 3, 4}),
                        Int64s({2}, {1, 1}), Int64s({2}, {1, 2})},
                       {{"pads_begin", "0,1"}, {"pads_end", "0,1"}}),
            "f16[1,1,1,1] {5}");
}

// A formula of Darknet's own: element (c, y, x) of a tensor of the input's
// extents, whose channel c stands for channel c modulo C / s / s, and for one
// position in the square.
void ExpectReorganized(int channels) {
  const int height = 4, width = 6, stride = 2;
  const int fewer = channels / stride / stride;
  std::vector<double> want;
  for (int c = 0; c < channels; ++c) {
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) {
        const int row = y * stride + c / fewer / stride;
        const int column = x * stride + c / fewer % stride;
        want.push_back((c % fewer * height * stride + row) * width * stride +
                       column);
      }
    }
  }
  ExpectNear(tester.Outputs("ReorgYolo-0",
                            {Floats({1, channels, height, width},
                                    Iota(channels * height * width))},
                            {{"stride", "2"}}),
             want);
}

TEST(YoloTest, ReorganizesLikeDarknet) {
  ExpectReorganized(8);
  // No multiple of the squares' size; OpenVINO gives the same numbers.
  ExpectReorganized(26);
  ExpectReorganized(7);
}

double Logistic(double x) { return 1 / (1 + std::exp(-x)); }

TEST(YoloTest, ActivatesRegions) {
  // Two cells; x, y, w, h, object and two classes.
  const std::vector<double> data = {1, 2, -1, 0, 3, 4, 5, 6,
                                    0, 1, 1, 2, 3, 2};
  const Tensor input = Floats({1, 7, 1, 2}, data);
  std::vector<double> want;
  for (double x : data) want.push_back(Logistic(x));
  std::copy(data.begin() + 4, data.begin() + 8, want.begin() + 4);
  const TextAttributes common = {{"coords", "4"}, {"classes", "2"},
                                 {"axis", "1"},   {"end_axis", "3"},
                                 {"num", "1"},    {"mask", "0"}};
  TextAttributes version3 = common;
  version3["do_softmax"] = "false";
  ExpectNear(tester.Outputs("RegionYolo-0", {input}, version3), want);

  TextAttributes version2 = common;
  version2["do_softmax"] = "true";
  for (int cell = 0; cell < 2; ++cell) {
    const double first = std::exp(data[10 + cell]);
    const double second = std::exp(data[12 + cell]);
    want[10 + cell] = first / (first + second);
    want[12 + cell] = second / (first + second);
  }
  ExpectNear(tester.Outputs("RegionYolo-0", {input}, version2), want);
}

// White, black and the pure colours of BT.601.
TEST(ColorConversionTest, MakesRgb) {
  const auto run = [](const char* op, double y, double u, double v) {
    return tester.Run(op, {TensorOf(ElementType::kU8, {1, 2, 2, 1},
                                    {y, 16, 235, y}),
                           TensorOf(ElementType::kU8, {1, 1, 1, 2}, {u, v})});
  };
  EXPECT_EQ(run("NV12toRGB-8", 126, 128, 128),
            "u8[1,2,2,3] {128, 128, 128, 0, 0, 0, 255, 255, 255, 128, 128, "
            "128}");
  // 1.164 * 66 = 76.8; + 1.596 * 100 = 236.4; - 0.391 * 10 - 81.3 < 0;
  // + 20.18 = 97.0.
  EXPECT_THAT(run("NV12toRGB-8", 82, 138, 228), HasSubstr("{236, 0, 97, "));
  EXPECT_THAT(run("NV12toBGR-8", 82, 138, 228), HasSubstr("{97, 0, 236, "));
}

TEST(ColorConversionTest, ReadsPlanesWhereTheyAre) {
  // Two images of 2x4 pixels; the squares of each have their own colour.
  const Tensor y = Floats({2, 2, 4, 1}, std::vector<double>(16, 116));
  const std::vector<double> u = {128, 138, 148, 158};
  const std::vector<double> v = {118, 128, 138, 148};
  const Tensor uv = Floats({2, 1, 2, 2}, {u[0], v[0], u[1], v[1],  //
                                          u[2], v[2], u[3], v[3]});
  std::vector<double> want, single_nv12, single_i420;
  for (int image = 0; image < 2; ++image) {
    for (int row = 0; row < 2; ++row) {
      for (int x = 0; x < 4; ++x) {
        const int square = 2 * image + x / 2;
        const double du = u[square] - 128, dv = v[square] - 128;
        want.push_back(116.4 + 1.596 * dv);
        want.push_back(116.4 - 0.391 * du - 0.813 * dv);
        want.push_back(116.4 + 2.018 * du);
      }
    }
    const int a = 2 * image, b = a + 1;
    single_nv12.insert(single_nv12.end(), 8, 116);
    single_i420.insert(single_i420.end(), 8, 116);
    single_nv12.insert(single_nv12.end(), {u[a], v[a], u[b], v[b]});
    single_i420.insert(single_i420.end(), {u[a], u[b], v[a], v[b]});
  }
  ExpectNear(tester.Outputs("NV12toRGB-8", {y, uv}), want);
  ExpectNear(tester.Outputs("NV12toRGB-8", {Floats({2, 3, 4, 1}, single_nv12)}),
             want);
  ExpectNear(tester.Outputs("I420toRGB-8", {y, Floats({2, 1, 2, 1}, u),
                                            Floats({2, 1, 2, 1}, v)}),
             want);
  ExpectNear(tester.Outputs("I420toRGB-8", {Floats({2, 3, 4, 1}, single_i420)}),
             want);
  for (size_t i = 0; i < want.size(); i += 3) std::swap(want[i], want[i + 2]);
  ExpectNear(tester.Outputs("I420toBGR-8", {Floats({2, 3, 4, 1}, single_i420)}),
             want);
}

TEST(ColorConversionTest, MakesNv12) {
  // Red and green side by side above two white pixels, twice.
  const std::vector<double> rgb = {255, 0,   0,   0,   255, 0,
                                   255, 255, 255, 255, 255, 255};
  std::vector<double> images = rgb;
  images.insert(images.end(), rgb.begin(), rgb.end());
  const Tensor image = TensorOf(ElementType::kU8, {2, 2, 2, 3}, images);
  // White is (235, 128, 128); U is the mean of 90, 54, 128, 128, V that of 240,
  // 34, 128, 128, which is 132.5.
  EXPECT_EQ(tester.Run("RGBtoNV12-17", {image}, {{"single_plane", "false"}}),
            "u8[2,2,2,1] {82, 145, 235, 235, 82, 145, 235, 235}; "
            "u8[2,1,1,2] {100, 133, 100, 133}");
  EXPECT_EQ(tester.Run("RGBtoNV12-17", {image}),
            "u8[2,3,2,1] {82, 145, 235, 235, 100, 133, 82, 145, 235, 235, 100, "
            "133}");
  std::vector<double> bgr = images;
  for (size_t i = 0; i < bgr.size(); i += 3) std::swap(bgr[i], bgr[i + 2]);
  EXPECT_EQ(tester.Run("BGRtoNV12-17",
                       {TensorOf(ElementType::kU8, {2, 2, 2, 3}, bgr)}),
            tester.Run("RGBtoNV12-17", {image}));
}

}  // namespace
}  // namespace dovetail
