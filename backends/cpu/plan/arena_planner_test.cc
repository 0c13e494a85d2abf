#include "dovetail/backends/cpu/plan/arena_planner.h"

#include <random>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail::cpu {
namespace {

using ::testing::ElementsAre;

TEST(ArenaPlannerTest, TensorsOneAfterTheOtherTakeTurns) {
  // a -> b -> c -> d: two places do.
  const ArenaPlan plan =
      PlanArena({{100, 0, 1}, {100, 1, 2}, {100, 2, 3}, {100, 3, 4}});
  EXPECT_THAT(plan.offsets, ElementsAre(0, 128, 0, 128));
  EXPECT_EQ(plan.bytes, 256);
}

TEST(ArenaPlannerTest, SmallOnesGoIntoTheSmallestGap) {
  const ArenaPlan plan = PlanArena({
      {640, 0, 9},  // always there
      {256, 0, 1},  // leaves a gap of 256 …
      {128, 0, 9},
      {64, 0, 1},  // … and this one of 64
      {64, 0, 9},
      {64, 5, 6},
  });
  EXPECT_EQ(plan.bytes, 640 + 256 + 128 + 64 + 64);
  EXPECT_EQ(plan.offsets[5], plan.offsets[3]);
}

TEST(ArenaPlannerTest, NothingTakesNothing) {
  EXPECT_EQ(PlanArena({}).bytes, 0);
}

TEST(ArenaPlannerTest, WhatLivesTogetherNeverOverlaps) {
  std::mt19937 random(1);
  std::vector<ArenaRequest> requests;
  for (int i = 0; i < 300; ++i) {
    const int first = static_cast<int>(random() % 100);
    requests.push_back({static_cast<int64_t>(random() % 5000), first,
                        first + static_cast<int>(random() % 20)});
  }
  const ArenaPlan plan = PlanArena(requests);
  for (size_t i = 0; i < requests.size(); ++i) {
    EXPECT_EQ(plan.offsets[i] % 64, 0);
    EXPECT_LE(plan.offsets[i] + requests[i].bytes, plan.bytes);
    for (size_t j = 0; j < i; ++j) {
      const bool together = requests[i].first <= requests[j].last &&
                            requests[j].first <= requests[i].last;
      if (!together) continue;
      EXPECT_TRUE(plan.offsets[i] + requests[i].bytes <= plan.offsets[j] ||
                  plan.offsets[j] + requests[j].bytes <= plan.offsets[i])
          << i << " and " << j;
    }
  }
}

}  // namespace
}  // namespace dovetail::cpu
