#include <vector>

#include "dovetail/core/ops/convolution/table.h"
#include "dovetail/core/reference/convolution/table.h"
#include "dovetail/core/reference/testing/run_op.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using ::testing::HasSubstr;

const OpTester tester(ConvolutionOps(), ConvolutionKernels());

// 1, 2, 3, …
std::vector<double> Count(int64_t count) {
  std::vector<double> values(count);
  for (int64_t i = 0; i < count; ++i) values[i] = static_cast<double>(i + 1);
  return values;
}

TEST(ConvolutionTest, SumsProducts) {
  EXPECT_EQ(tester.Run("Convolution-1", {Floats({1, 1, 3, 3}, Count(9)),
                                         Floats({1, 1, 2, 2}, {1, 2, 3, 4})}),
            "f32[1,1,2,2] {37, 47, 67, 77}");
  EXPECT_EQ(tester.Run("Convolution-1",
                       {Floats({1, 2, 5}, Count(10)),
                        Floats({1, 2, 2}, {1, 1, 10, 10})},
                       {{"strides", "2"},
                        {"dilations", "3"},
                        {"pads_begin", "1"},
                        {"pads_end", "1"}}),
            "f32[1,1,2] {83, 177}");
}

TEST(ConvolutionTest, NegativePaddingCutsOff) {
  EXPECT_EQ(tester.Run("Convolution-1",
                       {Floats({1, 1, 3, 3}, Count(9)),
                        Floats({1, 1, 2, 2}, {1, 2, 3, 4})},
                       {{"pads_begin", "-1,0"}, {"pads_end", "0,-1"}}),
            "f32[1,1,1,1] {67}");
  EXPECT_EQ(tester.Run("ConvolutionBackpropData-1",
                       {Floats({1, 1, 2}, {1, 2}), Floats({1, 1, 1}, {3})},
                       {{"pads_begin", "-1"}, {"pads_end", "0"}}),
            "f32[1,1,3] {0, 3, 6}");
}

TEST(ConvolutionTest, PutsTheOddPaddingWhereAutoPadSays) {
  const std::vector<Tensor> inputs = {Floats({1, 1, 3}, {1, 2, 3}),
                                      Floats({1, 1, 2}, {1, 10})};
  EXPECT_EQ(tester.Run("Convolution-1", inputs, {{"auto_pad", "same_upper"}}),
            "f32[1,1,3] {21, 32, 3}");
  EXPECT_EQ(tester.Run("Convolution-1", inputs, {{"auto_pad", "same_lower"}}),
            "f32[1,1,3] {10, 21, 32}");
}

// Enough channels and elements for every way through the loops, against sums
// that are easy to give in closed form.
TEST(ConvolutionTest, AgreesWithClosedFormOnManyTiles) {
  for (int64_t outputs : {1, 4, 7}) {
    for (int64_t width : {1, 30, 700}) {
      const int64_t height = 20;
      const Tensor data = Floats({1, 2, height, width},
                                 std::vector<double>(2 * height * width, 1));
      std::vector<double> weights;
      for (int64_t o = 0; o < outputs; ++o) {
        for (int i = 0; i < 2 * 9; ++i) weights.push_back(o + 1.);
      }
      const auto result = tester.Outputs(
          "Convolution-1", {data, Floats({outputs, 2, 3, 3}, weights)},
          {{"pads_begin", "1,1"}, {"pads_end", "1,1"}});
      std::vector<double> want;
      for (int64_t o = 0; o < outputs; ++o) {
        for (int64_t y = 0; y < height; ++y) {
          for (int64_t x = 0; x < width; ++x) {
            const int rows = 1 + (y > 0) + (y + 1 < height);
            const int columns = 1 + (x > 0) + (x + 1 < width);
            want.push_back(2. * rows * columns * (o + 1.));
          }
        }
      }
      ExpectNear(result, want);
    }
  }
}

TEST(ConvolutionTest, HandlesEachGroupAlone) {
  EXPECT_EQ(tester.Run("GroupConvolution-1",
                       {Floats({1, 2, 2}, {1, 2, 3, 4}),
                        Floats({2, 1, 1, 1}, {10, 100})}),
            "f32[1,2,2] {10, 20, 300, 400}");
}

TEST(ConvolutionTest, ComputesNarrowTypesWide) {
  // 200 + 200 - 200 fits an i8 only in the end.
  EXPECT_EQ(tester.Run("Convolution-1",
                       {TensorOf(ElementType::kI8, {1, 3, 1}, {100, 100, 100}),
                        TensorOf(ElementType::kI8, {1, 3, 1}, {1, 1, -1})}),
            "i8[1,1,1] {100}");
  EXPECT_EQ(tester.Run("Convolution-1",
                       {TensorOf(ElementType::kF16, {1, 2, 1}, {2048, 1}),
                        TensorOf(ElementType::kF16, {1, 2, 1}, {1, 2})}),
            "f16[1,1,1] {2050}");
}

TEST(ConvolutionTest, TakesEmptyTensorsAndFarPadding) {
  EXPECT_EQ(tester.Run("Convolution-1", {Floats({0, 1, 3}, {}),
                                         Floats({1, 1, 2}, {1, 10})}),
            "f32[0,1,2] {}");
  EXPECT_EQ(tester.Run("Convolution-1",
                       {Floats({1, 0, 3}, {}), Floats({1, 0, 2}, {})}),
            "f32[1,1,2] {0, 0}");
  EXPECT_EQ(tester.Run("Convolution-1",
                       {Floats({1, 1, 1}, {5}), Floats({1, 1, 2}, {1, 10})},
                       {{"pads_begin", "1000000"},
                        {"pads_end", "1000000"},
                        {"dilations", "1000000"},
                        {"strides", "1000000"}}),
            "f32[1,1,2] {50, 5}");
}

TEST(ConvolutionBackpropDataTest, SpreadsProducts) {
  EXPECT_EQ(tester.Run("ConvolutionBackpropData-1",
                       {Floats({1, 1, 3}, {1, 2, 3}),
                        Floats({1, 1, 3}, {1, 10, 100})},
                       {{"strides", "2"}}),
            "f32[1,1,7] {1, 10, 102, 20, 203, 30, 300}");
  EXPECT_EQ(tester.Run("ConvolutionBackpropData-1",
                       {Floats({1, 1, 2}, {1, 2}), Floats({1, 1, 2}, {1, 10})},
                       {{"strides", "3"},
                        {"dilations", "2"},
                        {"pads_begin", "1"},
                        {"output_padding", "1"}}),
            "f32[1,1,6] {0, 10, 2, 0, 20, 0}");
  EXPECT_EQ(
      tester.Run("GroupConvolutionBackpropData-1",
                 {Floats({1, 2, 1, 2}, {1, 2, 3, 4}),
                  Floats({2, 1, 1, 2, 1}, {1, 10, 100, 1000})}),
      "f32[1,2,2,2] {1, 2, 10, 20, 300, 400, 3000, 4000}");
}

TEST(ConvolutionBackpropDataTest, CutsToTheExtentsOfInput2) {
  const std::vector<Tensor> inputs = {Floats({1, 1, 3}, {1, 2, 3}),
                                      Floats({1, 1, 3}, {1, 10, 100}),
                                      Int64s({1}, {6})};
  EXPECT_EQ(tester.Run("ConvolutionBackpropData-1", inputs,
                       {{"strides", "2"}, {"auto_pad", "same_upper"}}),
            "f32[1,1,6] {10, 102, 20, 203, 30, 300}");
  EXPECT_EQ(tester.Run("ConvolutionBackpropData-1", inputs,
                       {{"strides", "2"}, {"auto_pad", "same_lower"}}),
            "f32[1,1,6] {1, 10, 102, 20, 203, 30}");
}

TEST(BinaryConvolutionTest, CountsAgreeingBits) {
  // Kernel bits, lowest first: 1, 0, 1, 1.
  auto kernel = Tensor::Allocate(ElementType::kU1, {1, 4, 1, 1});
  ASSERT_TRUE(kernel.ok());
  *static_cast<uint8_t*>(kernel->mutable_raw_data()) = 0b1101;
  EXPECT_EQ(tester.Run("BinaryConvolution-1",
                       {Floats({1, 4, 1, 1}, {1, 0, 0, 1}), *kernel}),
            "f32[1,1,1,1] {2}");
  EXPECT_EQ(tester.Run("BinaryConvolution-1",
                       {Floats({1, 4, 1, 1}, {1, 0, 0, 1}), *kernel},
                       {{"pads_begin", "0,1"}, {"pad_value", "1"}}),
            "f32[1,1,1,2] {2, 2}");
}

TEST(DeformableConvolutionTest, SamplesBetweenElements) {
  const Tensor data = Floats({1, 1, 2, 2}, {1, 2, 3, 4});
  const Tensor kernel = Floats({1, 1, 1, 1}, {1});
  // y and x offsets of the four windows.
  const Tensor offsets =
      Floats({1, 2, 2, 2}, {0, 0.5, 0.5, -5, 0.5, -1, 0, 0});
  EXPECT_EQ(tester.Run("DeformableConvolution-1", {data, offsets, kernel}),
            "f32[1,1,2,2] {1.5, 2, 3, 0}");
  EXPECT_EQ(tester.Run("DeformableConvolution-8",
                       {data, offsets, kernel,
                        Floats({1, 1, 2, 2}, {2, 2, 2, 2})},
                       {{"bilinear_interpolation_pad", "true"}}),
            "f32[1,1,2,2] {3, 4, 3, 0}");
  EXPECT_THAT(tester.Run("DeformableConvolution-8",
                         {data, Floats({1, 2, 1, 2}, {0, 0, 0, 0}), kernel}),
              HasSubstr("input 1 has shape [1,2,1,2], want [1,2,2,2]"));
}

}  // namespace
}  // namespace dovetail
