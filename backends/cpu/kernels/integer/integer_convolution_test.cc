#include "dovetail/backends/cpu/kernels/integer/integer_convolution.h"

#include <string>
#include <vector>

#include "dovetail/backends/cpu/kernels/integer/testing/integer_problem.h"
#include "gtest/gtest.h"

namespace dovetail::cpu {
namespace {

void Check(const IntegerConvolutionShape& shape, const EpilogueCase& epilogue) {
  const IntegerProblem problem({shape, epilogue});
  problem.Check(IntegerConvolution(shape, problem.weights(), 2));
}

// Every shape with all kinds of what follows.
void CheckAll(const std::vector<IntegerConvolutionShape>& shapes) {
  const ElementType types[] = {ElementType::kF32, ElementType::kU8,
                               ElementType::kI8};
  for (size_t i = 0; i < shapes.size(); ++i) {
    if (!IntegerConvolution::IsSupported(shapes[i])) {
      GTEST_SKIP() << "no vectors of 16 integers";
    }
    for (const ElementType output : types) {
      SCOPED_TRACE("shape " + std::to_string(i));
      Check(shapes[i], {.output_type = output});
      Check(shapes[i], {.output_type = output, .has_slope = true});
      for (const ElementType residual : types) {
        Check(shapes[i], {.output_type = output,
                          .has_residual = true,
                          .residual_type = residual});
      }
    }
  }
}

constexpr auto kU8 = ElementType::kU8;
constexpr auto kI8 = ElementType::kI8;

TEST(IntegerConvolutionTest, OfSinglePixels) {
  CheckAll({
      {1, 16, 16, 1, {5, 5}, {7, 7}, kU8, 0},
      {2, 24, 20, 1, {3, 3}, {6, 6}, kU8, 128},
      {1, 9, 40, 1, {4, 4}, {4, 4}, kI8, -3},
      {1, 32, 8, 1, {9, 5, 1, 2}, {13, 7, 1, 2}, kU8, 3},
      {1, 130, 37, 1, {1, 1}, {1, 1}, kU8, 0},
      {3, 8, 24, 1, {2, 2}, {3, 5, 1, 1, 1, 1}, kU8, 255},
  });
}

TEST(IntegerConvolutionTest, OfWindows) {
  CheckAll({
      {1, 16, 16, 1, {8, 8, 3, 1, 1, 1}, {9, 9, 3, 1, 1, 1}, kU8, 0},
      {1, 16, 24, 1, {8, 4, 3, 2, 1, 1}, {31, 16, 3, 2, 1, 1}, kU8, 100},
      {2, 3, 12, 1, {9, 5, 7, 2, 1, 3}, {11, 6, 7, 2, 1, 3}, kI8, 5},
      {1, 1, 5, 1, {6, 6, 3, 1, 1, 1}, {40, 40, 3, 1, 1, 1}, kU8, 7},
      {1, 10, 8, 1, {12, 12, 3, 1, 4, 4}, {9, 9, 5, 1, 2, 4}, kU8, 9},
      {1, 8, 8, 1, {3, 3, 3, 1, 9, 9}, {4, 4, 3, 1, 9, 9}, kU8, 9},
      {1, 40, 48, 1, {3, 3, 3, 1, 1, 1}, {3, 3, 3, 1, 1, 1}, kU8, 0},
      {1, 64, 32, 1, {30, 30, 3, 1, 1, 1}, {30, 30, 3, 1, 1, 1}, kU8, 0},
  });
}

TEST(IntegerConvolutionTest, OfWindowsMostlyInPadding) {
  CheckAll({
      {1, 24, 20, 1, {16, 16, 3, 1, 12, 12}, {16, 16, 3, 1, 6, 6}, kU8, 0},
      {1, 16, 40, 1, {9, 9, 3, 1, 18, 18}, {9, 9, 3, 1, 9, 9}, kU8, 11},
      {2, 8, 8, 1, {5, 3, 3, 2, 7, 7}, {20, 10, 5, 2, 7, 14}, kI8, -3},
      {1, 3, 8, 1, {6, 6, 3, 1, 7, 7}, {12, 12, 3, 1, 1, 1}, kU8, 4},
      {1, 16, 8, 1, {4, 9, 2, 1, 1, 3}, {4, 11, 1, 1, 1, 3}, kU8, 5},
  });
}

// Sums between the transformations are beyond 32 bits.
TEST(IntegerConvolutionTest, OfWindowsOfManyChannels) {
  CheckAll({
      {1, 300, 16, 1, {13, 13, 3, 1, 1, 1}, {13, 13, 3, 1, 1, 1}, kU8, 0},
  });
}

TEST(IntegerConvolutionTest, OfEachChannel) {
  CheckAll({
      {1, 16, 16, 16, {10, 10, 3, 1, 1, 1}, {37, 37, 3, 1, 1, 1}, kU8, 0},
      {2, 9, 9, 9, {9, 5, 3, 2, 1, 1}, {20, 10, 3, 2, 1, 1}, kU8, 77},
      {1, 8, 8, 8, {9, 5, 5, 2, 1, 2}, {30, 10, 5, 3, 1, 2}, kI8, -7},
      {1, 8, 8, 8, {6, 1, 6, 1, 1, 0}, {6, 1, 6, 1, 1, 0}, kU8, 0},
      {1, 8, 8, 8, {5, 5, 3, 1, 4, 4}, {17, 17, 3, 1, 4, 4}, kU8, 1},
  });
}

TEST(IntegerConvolutionTest, OfGroups) {
  CheckAll({
      {1, 32, 16, 2, {7, 7}, {9, 9}, kU8, 0},
      {2, 24, 48, 3, {8, 4, 3, 2, 1, 1}, {13, 7, 3, 2, 1, 1}, kU8, 9},
      {1, 48, 48, 3, {12, 12, 3, 1, 1, 1}, {17, 17, 3, 1, 1, 1}, kI8, -3},
      // Two groups together.
      {2, 16, 16, 4, {9, 9, 3, 1, 1, 1}, {14, 14, 3, 1, 1, 1}, kU8, 5},
      {1, 24, 8, 2, {6, 6}, {5, 5}, kU8, 0},
  });
}

IntegerConvolutionShape VolumeOf(IntegerConvolutionShape shape,
                                 const WindowAxis& planes) {
  shape.planes = planes;
  return shape;
}

TEST(IntegerConvolutionTest, OfVolumes) {
  const WindowAxis by_three = {5, 5, 3, 1, 1, 1};
  CheckAll({
      VolumeOf({1, 16, 24, 1, {8, 8, 3, 1, 1, 1}, {9, 9, 3, 1, 1, 1}, kU8, 0},
               by_three),
      // By Winograd's algorithm where weights are many enough.
      VolumeOf(
          {1, 32, 32, 1, {18, 18, 3, 1, 1, 1}, {18, 18, 3, 1, 1, 1}, kU8, 9},
          by_three),
      VolumeOf({2, 20, 9, 1, {4, 4}, {6, 6}, kI8, -3}, by_three),
      VolumeOf({2, 3, 12, 1, {9, 5, 7, 2, 1, 3}, {11, 6, 7, 2, 1, 3}, kI8, 5},
               {6, 3, 3, 2, 1, 1}),
      VolumeOf({1, 10, 8, 1, {7, 7, 3, 1, 1, 1}, {9, 9, 3, 1, 1, 1}, kU8, 200},
               {9, 9, 3, 1, 4, 4}),
      VolumeOf({1, 8, 8, 1, {7, 7, 3, 1, 1, 1}, {9, 9, 3, 1, 1, 1}, kU8, 1},
               {4, 4, 1, 1, 1, 0}),
      VolumeOf({1, 8, 8, 1, {7, 7, 3, 1, 1, 1}, {9, 9, 3, 1, 1, 1}, kU8, 1},
               {4, 2, 1, 2, 1, 0}),
      VolumeOf({1, 8, 8, 1, {7, 7, 3, 1, 1, 1}, {9, 9, 3, 1, 1, 1}, kU8, 1},
               {1, 1, 3, 1, 1, 1}),
  });
}

TEST(IntegerConvolutionTest, RefusesGroupsOfVolumes) {
  const IntegerConvolutionShape shape = {
      1, 16, 16, 16, {8, 8, 3, 1, 1, 1}, {9, 9, 3, 1, 1, 1}, kU8, 0};
  EXPECT_FALSE(
      IntegerConvolution::IsSupported(VolumeOf(shape, {5, 5, 3, 1, 1, 1})));
}

TEST(IntegerConvolutionTest, RefusesGroupsOfFewChannels) {
  EXPECT_FALSE(
      IntegerConvolution::IsSupported({1, 16, 16, 8, {7, 7}, {9, 9}, kU8, 0}));
  EXPECT_FALSE(
      IntegerConvolution::IsSupported({1, 12, 12, 3, {7, 7}, {9, 9}, kU8, 0}));
  EXPECT_FALSE(
      IntegerConvolution::IsSupported({1, 8, 16, 8, {7, 7}, {9, 9}, kU8, 0}));
}

TEST(IntegerConvolutionTest, OfEachChannelWithAZeroPointOfItsOwn) {
  CheckAll({
      {1,
       16,
       16,
       16,
       {10, 10, 3, 1, 1, 1},
       {37, 37, 3, 1, 1, 1},
       kU8,
       0,
       {0, 9, 255, 128, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}},
      {2,
       9,
       9,
       9,
       {9, 5, 3, 2, 1, 1},
       {20, 10, 3, 2, 1, 1},
       kI8,
       0,
       {-128, 127, 0, 5, -6, 7, -8, 9, 10}},
  });
}

TEST(IntegerConvolutionTest, RoundsToAGridBeforeItAddsResiduals) {
  const IntegerConvolutionShape shapes[] = {
      {1, 24, 20, 1, {3, 3}, {6, 6}, kU8, 128},
      {1, 16, 16, 1, {8, 8, 3, 1, 1, 1}, {9, 9, 3, 1, 1, 1}, kU8, 0},
      {1, 16, 16, 16, {10, 10, 3, 1, 1, 1}, {9, 9, 3, 1, 1, 1}, kU8, 0},
  };
  for (const IntegerConvolutionShape& shape : shapes) {
    for (const ElementType output : {ElementType::kF32, kU8}) {
      for (const bool has_residual : {false, true}) {
        Check(shape, {.output_type = output,
                      .has_grid = true,
                      .has_residual = has_residual,
                      .residual_type = kU8});
      }
    }
  }
}

TEST(IntegerConvolutionTest, ComputesActivations) {
  using Activation = IntegerEpilogue::Activation;
  const IntegerConvolutionShape shapes[] = {
      {1, 24, 20, 1, {3, 3}, {6, 6}, kU8, 128},
      {1, 16, 16, 1, {8, 8, 3, 1, 1, 1}, {9, 9, 3, 1, 1, 1}, kI8, 0},
      {1, 9, 9, 9, {10, 10, 3, 1, 1, 1}, {9, 9, 3, 1, 1, 1}, kU8, 0},
  };
  for (const IntegerConvolutionShape& shape : shapes) {
    if (!IntegerConvolution::IsSupported(shape)) {
      GTEST_SKIP() << "no vectors of 16 integers";
    }
    for (const ElementType output : {ElementType::kF32, kU8, kI8}) {
      for (const Activation activation :
           {Activation::kSigmoid, Activation::kSwish, Activation::kHSwish,
            Activation::kGelu, Activation::kGeluTanh}) {
        Check(shape, {.output_type = output, .activation = activation});
      }
    }
  }
}

TEST(IntegerConvolutionTest, RefusesSumsBeyond32Bits) {
  EXPECT_FALSE(IntegerConvolution::IsSupported(
      {1, 1 << 17, 16, 1, {5, 5}, {7, 7}, kU8, 0}));
}

}  // namespace
}  // namespace dovetail::cpu
