#include "dovetail/transformations/fusion/movement/reshaped_axes.h"

#include <optional>

#include "gtest/gtest.h"

namespace dovetail {
namespace {

using Extents = ReshapedAxes::Extents;

TEST(ReshapedAxesTest, ConstantsAlongAxesThatBothHave) {
  const ReshapedAxes axes({2, 3, 4, 5}, {2, 3, 20});
  EXPECT_EQ(axes.ShapeOf({2, 3, 1, 1}), (Extents{2, 3, 1}));
  EXPECT_EQ(axes.ShapeOf({3, 1, 1}), (Extents{1, 3, 1}));
  EXPECT_EQ(axes.ShapeOf({}), (Extents{1, 1, 1}));
  EXPECT_EQ(axes.ShapeOf({5}), std::nullopt);
  EXPECT_EQ(axes.ShapeOf({4, 5}), std::nullopt);
  EXPECT_EQ(axes.ShapeOf({1, 2, 3, 1, 1}), std::nullopt);
}

TEST(ReshapedAxesTest, OnesMoveFreely) {
  const ReshapedAxes axes({1, 4, 1, 5}, {4, 5, 1, 1});
  EXPECT_EQ(axes.ShapeOf({4, 1, 5}), (Extents{4, 5, 1, 1}));
  EXPECT_EQ(axes.ShapeOf({5}), (Extents{1, 5, 1, 1}));
  EXPECT_EQ(axes.AxesOf({0, 3}), Extents{1});
}

TEST(ReshapedAxesTest, AxesOfWholeRuns) {
  const ReshapedAxes axes({2, 12, 5}, {2, 3, 4, 5});
  EXPECT_EQ(axes.AxesOf({1}), (Extents{1, 2}));
  EXPECT_EQ(axes.AxesOf({0, 2}), (Extents{0, 3}));
  const ReshapedAxes back({2, 3, 4, 5}, {2, 12, 5});
  EXPECT_EQ(back.AxesOf({1, 2}), Extents{1});
  EXPECT_EQ(back.AxesOf({2}), std::nullopt);
}

TEST(ReshapedAxesTest, Scalars) {
  const ReshapedAxes axes({}, {1, 1});
  EXPECT_EQ(axes.ShapeOf({}), (Extents{1, 1}));
  EXPECT_EQ(axes.AxesOf({}), Extents{});
}

}  // namespace
}  // namespace dovetail
