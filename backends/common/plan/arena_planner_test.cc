#include "dovetail/backends/common/plan/arena_planner.h"

#include <random>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Gt;
using ::testing::Not;

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

TEST(ArenaPlannerTest, OffsetsAndSizesAreAligned) {
  const ArenaPlan plan =
      PlanArena({{300, 0, 1}, {100, 0, 1}, {1, 0, 1}}, {.alignment = 256});
  EXPECT_THAT(plan.offsets, ElementsAre(0, 512, 768));
  EXPECT_EQ(plan.bytes, 1024);
}

TEST(ArenaPlannerTest, WhatTheCapacityHasNoRoomForIsSpilled) {
  constexpr int64_t kSpilled = ArenaPlan::kSpilled;
  const std::vector<ArenaRequest> requests = {
      {1000, 0, 9},  // more than there is
      {256, 0, 4},
      {256, 5, 9},  // take turns
      {200, 0, 9},  // beside them there are 128 bytes
      {128, 0, 9}};
  const ArenaPlan plan = PlanArena(requests, {.capacity = 384});
  EXPECT_THAT(plan.offsets, ElementsAre(kSpilled, 0, 0, kSpilled, 256));
  EXPECT_EQ(plan.bytes, 384);
  EXPECT_THAT(PlanArena(requests, {.capacity = 0}).offsets, Each(kSpilled));
}

// The end of what is rounded up to whole units counts.
TEST(ArenaPlannerTest, TheCapacityHoldsForAlignedSizes) {
  const std::vector<ArenaRequest> requests = {{100, 0, 1}};
  EXPECT_EQ(PlanArena(requests, {.capacity = 128}).offsets[0], 0);
  EXPECT_EQ(PlanArena(requests, {.capacity = 127}).offsets[0],
            ArenaPlan::kSpilled);
}

std::vector<ArenaRequest> RandomRequests() {
  std::mt19937 random(1);
  std::vector<ArenaRequest> requests;
  for (int i = 0; i < 300; ++i) {
    const int first = static_cast<int>(random() % 100);
    requests.push_back({static_cast<int64_t>(random() % 5000), first,
                        first + static_cast<int>(random() % 20)});
  }
  return requests;
}

void ExpectSound(const std::vector<ArenaRequest>& requests,
                 const ArenaOptions& options, const ArenaPlan& plan) {
  EXPECT_LE(plan.bytes, options.capacity);
  for (size_t i = 0; i < requests.size(); ++i) {
    if (plan.offsets[i] == ArenaPlan::kSpilled) continue;
    EXPECT_EQ(plan.offsets[i] % options.alignment, 0);
    EXPECT_LE(plan.offsets[i] + requests[i].bytes, plan.bytes);
    for (size_t j = 0; j < i; ++j) {
      const bool together = requests[i].first <= requests[j].last &&
                            requests[j].first <= requests[i].last;
      if (!together || plan.offsets[j] == ArenaPlan::kSpilled) continue;
      EXPECT_TRUE(plan.offsets[i] + requests[i].bytes <= plan.offsets[j] ||
                  plan.offsets[j] + requests[j].bytes <= plan.offsets[i])
          << i << " and " << j;
    }
  }
}

TEST(ArenaPlannerTest, WhatLivesTogetherNeverOverlaps) {
  const std::vector<ArenaRequest> requests = RandomRequests();
  const ArenaPlan plan = PlanArena(requests);
  ExpectSound(requests, {}, plan);
  EXPECT_THAT(plan.offsets, Not(Contains(ArenaPlan::kSpilled)));
}

TEST(ArenaPlannerTest, WhatFitsIntoASmallMemoryNeverOverlapsEither) {
  const std::vector<ArenaRequest> requests = RandomRequests();
  for (const int64_t alignment : {1, 48, 1024}) {
    const ArenaOptions options = {.alignment = alignment, .capacity = 50'000};
    const ArenaPlan plan = PlanArena(requests, options);
    ExpectSound(requests, options, plan);
    EXPECT_THAT(plan.offsets, Contains(ArenaPlan::kSpilled));
    EXPECT_THAT(plan.offsets, Contains(Gt(0)));
  }
}

}  // namespace
}  // namespace dovetail
