#include "dovetail/core/executor/turns/quota_watch.h"

#include <chrono>
#include <optional>

#include "dovetail/core/executor/cpus/cpu_info.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using std::chrono::milliseconds;

TEST(CpusLeftTest, IsWhatOthersDoNotUse) {
  EXPECT_EQ(CpusLeft(8, 0), 8);
  EXPECT_EQ(CpusLeft(8, 1.1), 7);
  EXPECT_EQ(CpusLeft(1.5, 0), 2);
  EXPECT_EQ(CpusLeft(1.5, 0.75), 1);
  EXPECT_EQ(CpusLeft(2, 0.9), 1);
}

TEST(CpusLeftTest, IsHalfAtLeastAndOneAtLeast) {
  EXPECT_EQ(CpusLeft(8, 7), 4);
  EXPECT_EQ(CpusLeft(3, 3), 1);
  EXPECT_EQ(CpusLeft(1, 1), 1);
  EXPECT_EQ(CpusLeft(0.2, 5), 1);
}

TEST(QuotaWatchTest, FollowsWhatOthersUse) {
  QuotaWatch watch;
  const double limit = 4;
  QuotaWatch::Clock::time_point now;
  milliseconds group(1000), own(400);
  // The time after the last look, and what the group and this process used.
  const auto left = [&](int time, int by_group, int by_own) {
    now += milliseconds(time);
    group += milliseconds(by_group);
    own += milliseconds(by_own);
    return watch.Left(limit, now, group, own);
  };
  EXPECT_EQ(left(0, 0, 0), std::nullopt);  // one look says nothing
  EXPECT_EQ(left(200, 200, 200), 4);
  EXPECT_EQ(left(200, 400, 200), 3);
  EXPECT_EQ(left(10, 40, 0), 3);  // too soon, so that nothing is known
  EXPECT_EQ(left(190, 360, 200), 3);
  EXPECT_EQ(left(200, 800, 200), 2);
  EXPECT_EQ(left(200, 0, 0), 4);
}

TEST(QuotaWatchTest, WithoutALimitOrTimesEverythingIsLeft) {
  QuotaWatch watch;
  const QuotaWatch::Clock::time_point now;
  const double limit = 4;
  EXPECT_EQ(watch.Left(limit, now, milliseconds(0), milliseconds(0)),
            std::nullopt);
  EXPECT_EQ(watch.Left(std::nullopt, now + milliseconds(200), milliseconds(600),
                       milliseconds(0)),
            std::nullopt);
  EXPECT_EQ(watch.Left(limit, now + milliseconds(200), std::nullopt,
                       milliseconds(0)),
            std::nullopt);
}

TEST(QuotaWatchTest, ThisProcessGetsOneAtLeastAndFewerThanItsCpus) {
  QuotaWatch watch;
  for (int i = 0; i < 2; ++i) {
    const std::optional<int> cpus = watch.Cpus();
    if (!cpus) continue;
    EXPECT_GE(*cpus, 1);
    EXPECT_LT(*cpus, UsableCpus());
  }
}

TEST(QuotaWatchTest, IsDueAtFirstAndThenNotAtOnce) {
  QuotaWatch watch;
  const auto now = QuotaWatch::Clock::now();
  EXPECT_TRUE(watch.Due(now));
  EXPECT_FALSE(watch.Due(now));
  EXPECT_TRUE(watch.Due(now + milliseconds(200)));
  EXPECT_FALSE(watch.Due(now + milliseconds(200)));
}

}  // namespace
}  // namespace dovetail
