#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "dovetail/backends/cpu/kernels/integer/dot_products/depthwise_dots.h"
#include "dovetail/backends/cpu/kernels/integer/dot_products/dot_lanes.h"
#include "dovetail/backends/cpu/kernels/integer/dot_products/few_channels.h"
#include "dovetail/backends/cpu/kernels/integer/dot_products/pointwise.h"
#include "dovetail/backends/cpu/kernels/integer/testing/integer_problem.h"
#include "gtest/gtest.h"

namespace dovetail::cpu {
namespace {

constexpr ElementType kF32 = ElementType::kF32;
constexpr ElementType kU8 = ElementType::kU8, kI8 = ElementType::kI8;

// Calls check(shape, epilogue) with each shape and all types of results, with
// slopes and without.
template <class Method, class Check>
void CheckAll(const std::vector<IntegerConvolutionShape>& shapes,
              const Check& check) {
  if (!HasDotLanes()) GTEST_SKIP() << "no AVX-512 with VNNI";
  for (size_t i = 0; i < shapes.size(); ++i) {
    SCOPED_TRACE("shape " + std::to_string(i));
    ASSERT_TRUE(Method::IsSupported(shapes[i]));
    for (const ElementType type : {kF32, kU8, kI8}) {
      for (const bool has_slope : {false, true}) {
        check(shapes[i],
              EpilogueCase{.output_type = type, .has_slope = has_slope});
      }
    }
  }
}

// Activations, which exclude all but limits.
template <typename Check>
void CheckActivations(const std::vector<IntegerConvolutionShape>& shapes,
                      const Check& check) {
  if (!HasDotLanes()) GTEST_SKIP() << "no AVX-512 with VNNI";
  using Activation = IntegerEpilogue::Activation;
  for (const IntegerConvolutionShape& shape : shapes) {
    for (const ElementType type : {kF32, kU8, kI8}) {
      for (const Activation activation :
           {Activation::kSigmoid, Activation::kSwish, Activation::kHSwish,
            Activation::kGelu, Activation::kGeluTanh}) {
        for (const bool has_grid : {false, true}) {
          check(shape, EpilogueCase{.output_type = type,
                                    .has_grid = has_grid,
                                    .activation = activation});
        }
      }
    }
  }
}

IntegerCase Planar(const IntegerConvolutionShape& shape,
                   const EpilogueCase& epilogue) {
  return {shape, epilogue, 1, shape.outputs};
}

IntegerCase ChannelsLast(const IntegerConvolutionShape& shape,
                         const EpilogueCase& epilogue) {
  return {shape, epilogue, shape.inputs, shape.outputs};
}

// batch, inputs, outputs, groups, rows, columns, type, zero point; of an axis:
// input, output, kernel, stride, dilation, pad.
std::vector<IntegerConvolutionShape> OfFewChannels() {
  return {
      {1, 3, 32, 1, {30, 15, 3, 2, 1, 1}, {37, 19, 3, 2, 1, 1}, kU8, 0},
      {2, 3, 64, 1, {11, 11, 3, 1, 1, 1}, {13, 13, 3, 1, 1, 1}, kU8, 119},
      {1, 1, 16, 1, {9, 9, 3, 1, 1, 1}, {40, 40, 3, 1, 1, 1}, kU8, 0},
      {1, 1, 20, 1, {12, 6, 5, 2, 1, 2}, {50, 25, 5, 2, 1, 2}, kI8, -3},
      {1, 3, 96, 1, {23, 9, 7, 2, 1, 0}, {29, 12, 7, 2, 1, 0}, kI8, 7},
      {1, 2, 40, 1, {9, 9, 3, 1, 2, 2}, {17, 17, 3, 1, 2, 2}, kU8, 3},
      {1, 4, 133, 1, {5, 4, 2, 1, 1, 0}, {6, 3, 2, 2, 1, 0}, kU8, 0},
      // Fewer results than are computed together.
      {1, 3, 48, 1, {4, 2, 3, 2, 1, 1}, {5, 3, 3, 2, 1, 1}, kU8, 9},
  };
}

TEST(FewChannelsTest, IsAConvolution) {
  CheckAll<FewChannelsIntegerMethod>(
      OfFewChannels(),
      [](const IntegerConvolutionShape& shape, EpilogueCase epilogue) {
        for (const bool has_grid : {false, true}) {
          epilogue.has_grid = has_grid;
          IntegerProblem(Planar(shape, epilogue))
              .Check(
                  FewChannelsIntegerMethod(shape, epilogue.has_slope ? 1 : 3));
        }
      });
}

TEST(FewChannelsTest, ComputesActivations) {
  CheckActivations(
      OfFewChannels(),
      [](const IntegerConvolutionShape& shape, const EpilogueCase& epilogue) {
        IntegerProblem(Planar(shape, epilogue))
            .Check(FewChannelsIntegerMethod(shape, 2));
      });
}

TEST(FewChannelsTest, QuantizesFloats) {
  CheckAll<FewChannelsIntegerMethod>(
      OfFewChannels(),
      [](const IntegerConvolutionShape& shape, const EpilogueCase& epilogue) {
        ByteQuantization by;
        std::copy_n(IntegerProblem::kScale, 4, by.scale);
        std::copy_n(IntegerProblem::kShift, 4, by.shift);
        if (shape.input_type == kI8) by.low = -128, by.high = 127;
        IntegerCase of_floats = Planar(shape, epilogue);
        of_floats.of_floats = true;
        IntegerProblem(of_floats).Check(FewChannelsIntegerMethod(shape, 2, by));
      });
}

TEST(FewChannelsTest, LeavesOtherShapesToOthers) {
  IntegerConvolutionShape shape = OfFewChannels()[0];
  shape.inputs = 5;
  EXPECT_FALSE(FewChannelsIntegerMethod::IsSupported(shape));
  shape = OfFewChannels()[2];
  shape.columns.dilation = 2;
  EXPECT_FALSE(FewChannelsIntegerMethod::IsSupported(shape));
}

std::vector<IntegerConvolutionShape> OfSinglePixels() {
  return {
      {1, 16, 96, 1, {9, 9}, {11, 11}, kU8, 0},
      {2, 24, 144, 1, {7, 7}, {7, 7}, kU8, 128},
      {1, 32, 8, 1, {20, 20}, {30, 30}, kU8, 5},
      {1, 36, 48, 1, {1, 1}, {3, 3}, kU8, 0},
      {3, 8, 21, 1, {2, 2}, {2, 2}, kU8, 17},
  };
}

TEST(PointwiseTest, IsAConvolution) {
  CheckAll<PointwiseIntegerMethod>(
      OfSinglePixels(),
      [](const IntegerConvolutionShape& shape, EpilogueCase epilogue) {
        epilogue.has_grid = epilogue.has_slope;
        IntegerProblem(ChannelsLast(shape, epilogue))
            .Check(PointwiseIntegerMethod(shape, epilogue.has_slope ? 1 : 3));
      });
}

TEST(PointwiseTest, ComputesActivations) {
  CheckActivations(
      OfSinglePixels(),
      [](const IntegerConvolutionShape& shape, const EpilogueCase& epilogue) {
        IntegerProblem(ChannelsLast(shape, epilogue))
            .Check(PointwiseIntegerMethod(shape, 2));
      });
}

TEST(PointwiseTest, AddsResiduals) {
  CheckAll<PointwiseIntegerMethod>(
      OfSinglePixels(),
      [](const IntegerConvolutionShape& shape, EpilogueCase epilogue) {
        epilogue.has_residual = true;
        for (const ElementType type : {kF32, kU8, kI8}) {
          epilogue.residual_type = type;
          IntegerProblem(ChannelsLast(shape, epilogue))
              .Check(PointwiseIntegerMethod(shape, 2));
        }
      });
}

TEST(PointwiseTest, LeavesOtherShapesToOthers) {
  IntegerConvolutionShape shape = {1, 16, 16, 1, {9, 9}, {11, 11}};
  shape.inputs = 17;
  EXPECT_FALSE(PointwiseIntegerMethod::IsSupported(shape));
  shape.inputs = 16;
  shape.rows.stride = 2;
  EXPECT_FALSE(PointwiseIntegerMethod::IsSupported(shape));
  shape.rows.stride = 1;
  shape.input_type = kI8;
  EXPECT_FALSE(PointwiseIntegerMethod::IsSupported(shape));
}

std::vector<IntegerConvolutionShape> OfEachChannel() {
  return {
      // Whole groups, half ones, and channels that fill them after 4 pixels
      // or 8.
      {1, 64, 64, 64, {7, 7, 3, 1, 1, 1}, {9, 9, 3, 1, 1, 1}, kU8, 0},
      {2, 96, 96, 96, {8, 8, 3, 1, 1, 1}, {11, 11, 3, 1, 1, 1}, kU8, 5},
      {1, 144, 144, 144, {5, 5, 3, 1, 1, 1}, {6, 6, 3, 1, 1, 1}, kU8, 128},
      {1, 24, 24, 24, {6, 4, 3, 1, 1, 0}, {9, 7, 3, 1, 1, 0}, kU8, 3},
      {1, 16, 16, 16, {3, 3, 3, 1, 1, 1}, {1, 1, 3, 1, 1, 1}, kU8, 9},
      {1, 8, 8, 8, {3, 5, 3, 1, 1, 2}, {20, 22, 3, 1, 1, 2}, kU8, 9},
      // Every second window, and every third.
      {2, 96, 96, 96, {8, 4, 3, 2, 1, 1}, {9, 5, 3, 2, 1, 1}, kU8, 7},
      {1, 192, 192, 192, {7, 4, 3, 2, 1, 1}, {7, 4, 3, 2, 1, 1}, kU8, 0},
      {1, 32, 32, 32, {7, 7, 3, 1, 1, 1}, {8, 4, 3, 2, 1, 1}, kU8, 200},
      {1, 80, 80, 80, {9, 3, 3, 3, 1, 0}, {13, 4, 3, 3, 1, 0}, kU8, 1},
      // Windows of 5x5: four rows of results, two, and one; 7x7.
      {1, 96, 96, 96, {9, 9, 5, 1, 1, 2}, {11, 11, 5, 1, 1, 2}, kU8, 11},
      {2, 72, 72, 72, {14, 7, 5, 2, 1, 2}, {13, 7, 5, 2, 1, 2}, kU8, 0},
      {1, 16, 16, 16, {14, 5, 5, 3, 1, 2}, {9, 5, 5, 2, 1, 2}, kU8, 40},
      {1, 64, 64, 64, {7, 7, 7, 1, 1, 3}, {8, 8, 7, 1, 1, 3}, kU8, 3},
      {1, 24, 24, 24, {15, 8, 7, 2, 1, 3}, {15, 8, 7, 2, 1, 3}, kU8, 77},
      // Of one row or one column, and such with gaps.
      {1, 40, 40, 40, {5, 5, 1, 1, 1, 0}, {20, 20, 11, 1, 1, 5}, kU8, 8},
      {1, 40, 40, 40, {9, 10, 8, 1, 1, 4}, {6, 6, 1, 1, 1, 0}, kU8, 8},
      {1, 32, 32, 32, {11, 11, 3, 1, 2, 2}, {12, 12, 3, 1, 2, 2}, kU8, 6},
      {1, 48, 48, 48, {19, 10, 5, 2, 3, 6}, {12, 12, 5, 1, 3, 6}, kU8, 6},
      {1, 8, 8, 8, {7, 6, 2, 1, 1, 0}, {7, 7, 3, 1, 1, 1}, kU8, 250},
      {1, 12, 12, 12, {9, 9, 3, 1, 1, 1}, {19, 19, 3, 1, 1, 1}, kU8, 9},
      {1, 20, 20, 20, {9, 5, 5, 2, 1, 2}, {9, 5, 5, 2, 1, 2}, kU8, 9},
  };
}

TEST(DepthwiseDotsTest, IsAConvolution) {
  CheckAll<DepthwiseDotsMethod>(
      OfEachChannel(),
      [](const IntegerConvolutionShape& shape, EpilogueCase epilogue) {
        epilogue.has_grid = epilogue.has_slope;
        IntegerProblem(ChannelsLast(shape, epilogue))
            .Check(DepthwiseDotsMethod(shape));
      });
}

TEST(DepthwiseDotsTest, TakesAZeroPointOfEachChannel) {
  std::vector<IntegerConvolutionShape> shapes = OfEachChannel();
  for (IntegerConvolutionShape& shape : shapes) {
    for (int64_t channel = 0; channel < shape.inputs; ++channel) {
      shape.zero_points.push_back(static_cast<int32_t>(channel * 37 % 256));
    }
  }
  CheckAll<DepthwiseDotsMethod>(shapes, [](const IntegerConvolutionShape& shape,
                                           const EpilogueCase& epilogue) {
    IntegerProblem(ChannelsLast(shape, epilogue))
        .Check(DepthwiseDotsMethod(shape));
  });
}

TEST(DepthwiseDotsTest, ComputesActivations) {
  CheckActivations(
      OfEachChannel(),
      [](const IntegerConvolutionShape& shape, const EpilogueCase& epilogue) {
        IntegerProblem(ChannelsLast(shape, epilogue))
            .Check(DepthwiseDotsMethod(shape));
      });
}

TEST(DepthwiseDotsTest, LeavesOtherShapesToOthers) {
  IntegerConvolutionShape shape = {1,  16, 16, 16, {9, 9, 3, 1, 1, 1},
                                   {9, 9, 3, 1, 1, 1}};
  shape.groups = 1;
  EXPECT_FALSE(DepthwiseDotsMethod::IsSupported(shape));
  shape.groups = 16;
  shape.rows.kernel = 9;
  EXPECT_FALSE(DepthwiseDotsMethod::IsSupported(shape));
  shape.rows.kernel = 3;
  shape.input_type = kI8;
  EXPECT_FALSE(DepthwiseDotsMethod::IsSupported(shape));
}

}  // namespace
}  // namespace dovetail::cpu
