#include "dovetail/tools/comparing/difference.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace dovetail::comparing {
namespace {

Tensor Numbers(const Shape& shape, const std::vector<double>& values) {
  return *Tensor::FromDoubles(ElementType::kF32, shape, values);
}

TEST(DifferenceTest, NamesTheWorstPlacesWorstFirst) {
  const Difference difference =
      Differ(Numbers({2, 3}, {1, 2, 3, 4, 5, 8}),
             Numbers({2, 3}, {1, 2.5, 2, 4, 5.25, 12}));
  EXPECT_EQ(difference.largest, 4);
  EXPECT_EQ(difference.relative, 0.5);
  EXPECT_EQ(difference.differing, 4);
  EXPECT_EQ(difference.count, 6);
  ASSERT_EQ(difference.worst.size(), 3u);
  EXPECT_EQ(difference.worst[0].position, "[1,2]");
  EXPECT_EQ(difference.worst[0].got, 12);
  EXPECT_EQ(difference.worst[1].position, "[0,2]");
  EXPECT_EQ(difference.worst[2].position, "[0,1]");
}

TEST(DifferenceTest, WhatIsNoNumberMustBeTheSame) {
  const double nan = std::nan(""),
               inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(Differ(Numbers({2}, {nan, inf}), Numbers({2}, {nan, inf})).largest,
            0);
  EXPECT_EQ(Differ(Numbers({1}, {1}), Numbers({1}, {nan})).relative, inf);
  EXPECT_EQ(Differ(Numbers({1}, {inf}), Numbers({1}, {-inf})).relative, inf);
}

TEST(DifferenceTest, MarksOfMasksHideNothing) {
  const Difference difference =
      Differ(Numbers({3}, {-3.4e38, 1, 2}), Numbers({3}, {-3.39e38, 1, 2.5}));
  EXPECT_EQ(difference.relative, 0.25);
  EXPECT_EQ(difference.worst[0].position, "[2]");
}

TEST(DifferenceTest, OtherShapesAndTypesAreProblems) {
  const Tensor numbers = Numbers({2}, {1, 2});
  EXPECT_EQ(Differ(numbers, Numbers({1, 2}, {1, 2})).problem,
            "shape [1,2], want [2]");
  EXPECT_EQ(
      Differ(numbers, *Tensor::FromDoubles(ElementType::kI32, {2}, {1, 2}))
          .problem,
      "type i32, want f32");
  EXPECT_EQ(
      Differ(numbers, *Tensor::FromDoubles(ElementType::kF16, {2}, {1, 2}))
          .relative,
      0);
}

}  // namespace
}  // namespace dovetail::comparing
