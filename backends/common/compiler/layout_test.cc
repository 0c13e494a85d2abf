#include "dovetail/backends/common/compiler/layout.h"

#include "gtest/gtest.h"

namespace dovetail {
namespace {

TEST(LayoutTest, BlocksPadChannels) {
  const Shape shape = {2, 10, 3, 4};
  EXPECT_EQ(StoredElements(shape, Layout::kPlanar), 240);
  EXPECT_EQ(StoredElements(shape, Layout::kChannelsLast), 240);
  EXPECT_EQ(StoredElements(shape, Layout::kBlocked8), 2 * 16 * 12);
  EXPECT_EQ(StoredElements(shape, Layout::kBlocked16), 2 * 16 * 12);
  EXPECT_EQ(StoredBytes(shape, {ElementType::kBf16, Layout::kBlocked8}),
            2 * 2 * 16 * 12);
  EXPECT_EQ(StoredBytes({3}, {ElementType::kU4, Layout::kPlanar}), 2);
  // Groups of four are three bytes.
  EXPECT_EQ(StoredBytes({5}, {ElementType::kU6, Layout::kPlanar}), 6);
}

TEST(LayoutTest, UsersSeeTheNamesOfTheField) {
  EXPECT_EQ(LayoutText(Layout::kPlanar, 0), "plain");
  EXPECT_EQ(LayoutText(Layout::kPlanar, 4), "plain");
  EXPECT_EQ(LayoutText(Layout::kChannelsLast, 3), "nwc");
  EXPECT_EQ(LayoutText(Layout::kChannelsLast, 4), "nhwc");
  EXPECT_EQ(LayoutText(Layout::kBlocked8, 3), "nCw8c");
  EXPECT_EQ(LayoutText(Layout::kBlocked16, 4), "nChw16c");
  EXPECT_EQ(LayoutText(Layout::kBlocked16, 5), "nCdhw16c");
}

TEST(LayoutTest, OnlyTensorsWithSpatialAxesHaveChannels) {
  EXPECT_TRUE(CanHaveLayout({}, Layout::kPlanar));
  EXPECT_FALSE(CanHaveLayout({2, 8}, Layout::kBlocked8));
  EXPECT_TRUE(CanHaveLayout({2, 8, 5}, Layout::kChannelsLast));
  EXPECT_FALSE(CanHaveLayout({1, 1, 1, 1, 1, 1}, Layout::kChannelsLast));
}

TEST(LayoutTest, SomeTensorsLieTheSameInSeveralLayouts) {
  const Shape pixel = {2, 16, 1, 1};
  EXPECT_TRUE(SameOrder(pixel, Layout::kPlanar, Layout::kBlocked8));
  EXPECT_TRUE(SameOrder(pixel, Layout::kBlocked16, Layout::kChannelsLast));
  EXPECT_FALSE(SameOrder({2, 12, 1, 1}, Layout::kPlanar, Layout::kBlocked8));

  const Shape gray = {2, 1, 5, 5};
  EXPECT_TRUE(SameOrder(gray, Layout::kPlanar, Layout::kChannelsLast));
  EXPECT_FALSE(SameOrder(gray, Layout::kPlanar, Layout::kBlocked8));

  const Shape one_block = {2, 8, 5, 5};
  EXPECT_TRUE(SameOrder(one_block, Layout::kBlocked8, Layout::kChannelsLast));
  EXPECT_FALSE(SameOrder(one_block, Layout::kBlocked8, Layout::kPlanar));
  EXPECT_FALSE(SameOrder(one_block, Layout::kBlocked16, Layout::kBlocked8));
}

}  // namespace
}  // namespace dovetail
