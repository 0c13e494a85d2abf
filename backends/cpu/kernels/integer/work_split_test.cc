#include "dovetail/backends/cpu/kernels/integer/work_split.h"

#include <vector>

#include "gtest/gtest.h"

namespace dovetail::cpu {
namespace {

using Shares = std::vector<std::vector<int64_t>>;

TEST(SharesOfTest, OneThreadTakesAllAtOnce) {
  EXPECT_EQ(SharesOf(7, 1), (Shares{{0, 7}}));
}

TEST(SharesOfTest, PartsBecomeSmaller) {
  EXPECT_EQ(SharesOf(16, 2),
            (Shares{{0, 4, 6, 7, 8}, {8, 12, 14, 15, 16}}));
}

TEST(SharesOfTest, NotMoreSharesThanItems) {
  EXPECT_EQ(SharesOf(2, 5), (Shares{{0, 1}, {1, 2}}));
  EXPECT_EQ(SharesOf(0, 2), (Shares{{0}}));
}

TEST(TimeOfItemsTest, ThreadsWaitForTheLastItem) {
  EXPECT_EQ(TimeOfItems(9, 8.0, 1), 72.0);
  EXPECT_EQ(TimeOfItems(9, 8.0, 2), 41.0);
  EXPECT_EQ(TimeOfItems(8, 8.0, 2), 33.0);
}

TEST(ChooseGroupsTest, OneThreadNeedsNoGroups) {
  const PanelGroups groups = ChooseGroups(3, 8, 10, 10, 1);
  EXPECT_EQ(groups.count, 1);
  EXPECT_EQ(groups.panels, 8);
}

TEST(ChooseGroupsTest, OneTileIsSharedByItsPanels) {
  const PanelGroups groups = ChooseGroups(1, 8, 1, 100, 2);
  EXPECT_EQ(groups.count, 4);
  EXPECT_EQ(groups.panels, 2);
}

TEST(ChooseGroupsTest, TilesThatTakeLongAreNotPackedAgain) {
  EXPECT_EQ(ChooseGroups(2, 8, 1000, 1, 2).count, 1);
}

}  // namespace
}  // namespace dovetail::cpu
