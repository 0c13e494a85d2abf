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

// Four elements in a row, resized to `size`.
absl::StatusOr<std::vector<Tensor>> Row(TextAttributes attributes,
                                        int64_t size) {
  return tester.Outputs("Interpolate-11",
                        {Floats({4}, {0, 1, 4, 9}),
                         Int64s({1}, {static_cast<double>(size)})},
                        attributes);
}

TEST(InterpolateTest, TakesTheNearest) {
  const auto run = [](const char* coordinates, const char* nearest,
                      int64_t size) {
    return Row({{"mode", "nearest"},
                {"coordinate_transformation_mode", coordinates},
                {"nearest_mode", nearest}},
               size);
  };
  ExpectNear(run("asymmetric", "floor", 8), {0, 0, 1, 1, 4, 4, 9, 9});
  ExpectNear(run("asymmetric", "ceil", 8), {0, 1, 1, 4, 4, 9, 9, 9});
  ExpectNear(run("asymmetric", "round_prefer_floor", 8),
             {0, 0, 1, 1, 4, 4, 9, 9});
  ExpectNear(run("asymmetric", "round_prefer_ceil", 8),
             {0, 1, 1, 4, 4, 9, 9, 9});
  // Positions 0.5 and 2.5.
  ExpectNear(run("half_pixel", "simple", 2), {1, 9});
  ExpectNear(run("half_pixel", "floor", 2), {0, 4});
  // Positions 0, 0.75, 1.5, 2.25, 3.
  ExpectNear(run("align_corners", "round_prefer_ceil", 5), {0, 1, 4, 4, 9});
  // Positions 1 and 3.
  ExpectNear(run("tf_half_pixel_for_nn", "floor", 2), {1, 9});
  // Position 1.5 and, for pytorch_half_pixel, 0.
  ExpectNear(run("half_pixel", "floor", 1), {1});
  ExpectNear(run("pytorch_half_pixel", "floor", 1), {0});
}

TEST(InterpolateTest, WeighsTwoNeighbours) {
  for (const char* mode : {"linear", "linear_onnx"}) {
    ExpectNear(Row({{"mode", mode}}, 8),
               {0, 0.25, 0.75, 1.75, 3.25, 5.25, 7.75, 9});
    ExpectNear(Row({{"mode", mode},
                    {"coordinate_transformation_mode", "align_corners"}},
                   5),
               {0, 0.75, 2.5, 5.25, 9});
    ExpectNear(Row({{"mode", mode},
                    {"coordinate_transformation_mode", "asymmetric"}},
                   2),
               {0, 4});
  }
}

// Weights 1/8, 3/8, 3/8, 1/8 around 0.5, without and with what is outside.
TEST(InterpolateTest, SmoothsWhereItShrinks) {
  ExpectNear(Row({{"mode", "linear"}, {"antialias", "true"}}, 2),
             {(0 * 3 + 1 * 3 + 4 * 1) / 7.0, (1 * 1 + 4 * 3 + 9 * 3) / 7.0});
  ExpectNear(Row({{"mode", "linear"}, {"antialias", "true"}}, 8),
             {0, 0.25, 0.75, 1.75, 3.25, 5.25, 7.75, 9});
}

TEST(InterpolateTest, WeighsFourNeighbours) {
  // At a fraction of a half: a/8, 1/2 - a/8 and the same mirrored.
  const double a = -0.5;
  const auto half = [a](double w, double x, double y, double z) {
    return a / 8 * (w + z) + (0.5 - a / 8) * (x + y);
  };
  ExpectNear(Row({{"mode", "cubic"},
                  {"cube_coeff", "-0.5"},
                  {"coordinate_transformation_mode", "asymmetric"}},
                 8),
             {0, half(0, 0, 1, 4), 1, half(0, 1, 4, 9), 4, half(1, 4, 9, 9), 9,
              half(4, 9, 9, 9)});
}

TEST(InterpolateTest, FiltersLikePillow) {
  // A triangle two elements wide to each side of the middle: weights 1/4, 3/4
  // at the distances 1.5 and 0.5.
  ExpectNear(Row({{"mode", "bilinear_pillow"}}, 2),
             {(0 * 3 + 1 * 3 + 4 * 1) / 7.0, (1 * 1 + 4 * 3 + 9 * 3) / 7.0});
  // One element: all four, at the distances 3/8 and 1/8 of the reach.
  ExpectNear(Row({{"mode", "bilinear_pillow"}}, 1),
             {(0 * 5 + 1 * 7 + 4 * 7 + 9 * 5) / 24.0});
  ExpectNear(Row({{"mode", "bicubic_pillow"}, {"cube_coeff", "-0.5"}}, 4),
             {0, 1, 4, 9});
}

// 3.5 rounds to 4 along the rows, and then the mean of 4 and 1 to 2. A half
// goes to the even side, and what overshoots 127 is cut.
TEST(InterpolateTest, RoundsIntegers) {
  const auto run = [](const char* mode) {
    return tester.Run("Interpolate-11",
                      {TensorOf(ElementType::kU8, {2, 2}, {3, 4, 1, 1}),
                       Int64s({2}, {1, 1})},
                      {{"mode", mode}});
  };
  EXPECT_EQ(run("bilinear_pillow"), "u8[1,1] {2}");
  EXPECT_EQ(run("linear"), "u8[1,1] {2}");  // of 2.25
  EXPECT_EQ(tester.Run("Interpolate-11",
                       {TensorOf(ElementType::kI8, {3}, {-128, 127, 127}),
                        Int64s({1}, {6})},
                       {{"mode", "cubic"},
                        {"coordinate_transformation_mode", "asymmetric"}}),
            "i8[6] {-128, 0, 127, 127, 127, 127}");
}

TEST(InterpolateTest, UsesTheScalesItIsGiven) {
  // Extents say 4 / 5, the scale 1 / 1.3.
  ExpectNear(tester.Outputs("Interpolate-4",
                            {Floats({4}, {0, 1, 4, 9}), Int64s({1}, {7}),
                             Floats({1}, {1.3})},
                            {{"mode", "linear"},
                             {"shape_calculation_mode", "scales"},
                             {"coordinate_transformation_mode", "asymmetric"}}),
             {0, 1 / 1.3, 1 + 3 * (2 / 1.3 - 1), 4 + 5 * (3 / 1.3 - 2), 9},
             1e-5);
}

TEST(InterpolateTest, PadsWithZeros) {
  EXPECT_EQ(tester.Run("Interpolate-11",
                       {Floats({1, 2}, {5, 6}), Int64s({1}, {4}),
                        Int64s({1}, {1})},
                       {{"mode", "nearest"},
                        {"pads_begin", "1,1"},
                        {"pads_end", "0,1"}}),
            "f32[2,4] {0, 0, 0, 0, 0, 5, 6, 0}");
  ExpectNear(tester.Outputs("Interpolate-11",
                            {Floats({2}, {4, 8}), Int64s({1}, {6})},
                            {{"mode", "linear_onnx"}, {"pads_begin", "1"}}),
             {0, 1, 3, 5, 7, 8});
}

// A product of functions of one axis each, so a polynomial of degree one in
// each coordinate stays what it is.
TEST(InterpolateTest, ResizesSeveralAxes) {
  std::vector<double> data, want;
  for (int z = 0; z < 3; ++z) {
    for (int y = 0; y < 2; ++y) {
      for (int x = 0; x < 3; ++x) data.push_back(1 + x + 3 * y + 7 * z * x);
    }
  }
  for (double z = 0; z <= 2; z += 0.5) {
    for (int y = 0; y < 2; ++y) {
      for (double x = 0; x <= 2; x += 0.25) {
        want.push_back(1 + x + 3 * y + 7 * z * x);
      }
    }
  }
  for (const char* mode : {"linear", "linear_onnx"}) {
    for (ElementType type :
         {ElementType::kF32, ElementType::kF16, ElementType::kF64}) {
      ExpectNear(
          tester.Outputs("Interpolate-11",
                         {TensorOf(type, {3, 2, 3}, data), Int64s({2}, {9, 5}),
                          Int64s({2}, {2, 0})},
                         {{"mode", mode},
                          {"coordinate_transformation_mode", "align_corners"}}),
          want, type == ElementType::kF16 ? 1e-2 : 1e-5);
    }
  }
}

TEST(InterpolateTest, PicksElementsOfAnyType) {
  for (ElementType type :
       {ElementType::kF64, ElementType::kI32, ElementType::kU8,
        ElementType::kF16, ElementType::kI64}) {
    const auto outputs = tester.Outputs(
        "Interpolate-0",
        {TensorOf(type, {1, 2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8}),
         Int64s({2}, {4, 1})},
        {{"axes", "2,3"}, {"mode", "nearest"}, {"align_corners", "false"}});
    ExpectNear(outputs, {1, 1, 3, 3, 5, 5, 7, 7});
  }
  // Whole rows of the axes after the last one that is resized.
  EXPECT_EQ(tester.Run("Interpolate-11",
                       {Floats({1, 2, 3}, {1, 2, 3, 4, 5, 6}),
                        Int64s({1}, {3}), Int64s({1}, {1})},
                       {{"mode", "nearest"}}),
            "f32[1,3,3] {1, 2, 3, 1, 2, 3, 4, 5, 6}");
}

TEST(InterpolateTest, KnowsHowVersion0FindsPositions) {
  const Tensor data = Floats({1, 1, 1, 2}, {0, 4});
  const auto run = [&](const char* axes, Tensor sizes) {
    return tester.Outputs(
        "Interpolate-0", {data, std::move(sizes)},
        {{"axes", axes}, {"mode", "linear"}, {"align_corners", "false"}});
  };
  ExpectNear(run("2,3", Int64s({2}, {1, 4})), {0, 2, 4, 4});
  ExpectNear(run("3", Int64s({1}, {4})), {0, 1, 3, 4});
}

TEST(InterpolateTest, AreaIsTheMeanOfWhatAnElementCovers) {
  const auto run = [&](Tensor data, double size, const char* align_corners) {
    return tester.Outputs(
        "Interpolate-0", {std::move(data), Int64s({1}, {size})},
        {{"axes", "1"}, {"mode", "area"}, {"align_corners", align_corners}});
  };
  const Tensor six = Floats({1, 6}, {1, 2, 3, 4, 5, 6});
  ExpectNear(run(six, 3, "false"), {1.5, 3.5, 5.5});
  ExpectNear(run(six, 4, "false"), {4. / 3, 8. / 3, 13. / 3, 17. / 3});
  ExpectNear(run(six, 6, "true"), {1, 2, 3, 4, 5, 6});
  ExpectNear(run(six, 1, "true"), {3.5});
  ExpectNear(run(Floats({1, 2}, {0, 6}), 3, "false"), {0, 3, 6});
  const Tensor four = Floats({1, 4}, {3, 6, 9, 12});
  ExpectNear(run(four, 3, "true"), {4, 8, 12});
  ExpectNear(run(Floats({1, 1}, {7}), 3, "true"), {7, 7, 7});
  // Planes of images, with zeros around them that count.
  ExpectNear(tester.Outputs("Interpolate-0",
                            {Floats({1, 1, 2, 2}, {1, 2, 3, 4}),
                             Int64s({2}, {1, 2})},
                            {{"axes", "2,3"},
                             {"mode", "area"},
                             {"align_corners", "false"},
                             {"pads_end", "0,0,0,2"}}),
             {2.5, 0});
}

TEST(InterpolateTest, AnswersToEmptyAndAbsurd) {
  EXPECT_EQ(tester.Run("Interpolate-11",
                       {Floats({0, 2}, {}), Int64s({1}, {3}), Int64s({1}, {1})},
                       {{"mode", "linear"}}),
            "f32[0,3] {}");
  EXPECT_THAT(tester.Run("Interpolate-11",
                         {Floats({0}, {}), Int64s({1}, {3})}),
              HasSubstr("has no element that the 3 of the output"));
  EXPECT_THAT(tester.Run("Interpolate-11",
                         {Floats({2}, {1, 2}), Floats({1}, {1e30})},
                         {{"shape_calculation_mode", "scales"}}),
              ::testing::Not(HasSubstr("f32[")));
}

// One element more than there may be; of bytes, so that it fits into memory.
TEST(InterpolateTest, AxesThatAreTooLongAreRefused) {
  const auto result =
      tester.Outputs("Interpolate-11",
                     {TensorOf(ElementType::kU8, {4}, {0, 1, 4, 9}),
                      Int64s({1}, {67108865})},
                     {{"mode", "nearest"}});
  EXPECT_EQ(result.status().code(), absl::StatusCode::kResourceExhausted)
      << result.status();
  EXPECT_THAT(result.status().message(), HasSubstr("67108864"));
}

}  // namespace
}  // namespace dovetail
