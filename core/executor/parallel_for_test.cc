#include "dovetail/core/executor/parallel_for.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>
#include <mutex>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include "dovetail/core/executor/inline_executor.h"
#include "dovetail/core/executor/pools/serial_queue.h"
#include "dovetail/core/executor/pools/thread_pool.h"
#include "dovetail/core/executor/team/work_team.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using Parts = std::set<std::pair<int64_t, int64_t>>;

// Of an Executor or a WorkTeam.
template <typename Threads>
Parts PartsOf(Threads& threads, int64_t count, int64_t grain) {
  std::mutex mutex;
  Parts parts;
  ParallelFor(threads, count, grain, [&](int64_t begin, int64_t end) {
    std::lock_guard<std::mutex> lock(mutex);
    EXPECT_TRUE(parts.emplace(begin, end).second);
  });
  return parts;
}

void ExpectCover(const Parts& parts, int64_t count, int64_t grain) {
  int64_t next = 0;
  for (const auto& [begin, end] : parts) {
    EXPECT_EQ(begin, next);
    EXPECT_LT(begin, end);
    if (end != count) {
      EXPECT_GE(end - begin, grain);
    }
    next = end;
  }
  EXPECT_EQ(next, count);
}

TEST(ParallelForTest, PartsCoverTheRangeOnce) {
  ThreadPool pool(3);
  for (const int64_t count : {1, 2, 3, 7, 12, 100, 1001}) {
    for (const int64_t grain : {1, 2, 5, 64, 5000}) {
      SCOPED_TRACE(testing::Message() << count << " by " << grain);
      ExpectCover(PartsOf(pool, count, grain), count, grain);
    }
  }
}

TEST(ParallelForTest, PartsAreEqualToAGrain) {
  ThreadPool pool(3);
  constexpr int64_t kGrain = 5;
  for (int64_t grains = 2; grains <= 100; ++grains) {
    SCOPED_TRACE(testing::Message() << grains << " grains");
    int64_t least = grains, most = 0;
    for (const auto& [begin, end] : PartsOf(pool, grains * kGrain, kGrain)) {
      ASSERT_EQ(begin % kGrain, 0);
      least = std::min(least, (end - begin) / kGrain);
      most = std::max(most, (end - begin) / kGrain);
    }
    EXPECT_LE(most, least + 1);
  }
}

TEST(ParallelForTest, ATeamsPartsAreThoseOfAnExecutorWithAsManyThreads) {
  ThreadPool pool(3);
  WorkTeam team(3), alone(1);
  for (const int64_t count : {0, 1, 7, 12, 100, 1001}) {
    for (const int64_t grain : {0, 1, 5, 5000}) {
      EXPECT_EQ(PartsOf(team, count, grain), PartsOf(pool, count, grain));
    }
  }
  EXPECT_EQ(PartsOf(alone, 100, 1), (Parts{{0, 100}}));
}

TEST(ParallelForTest, PartsAreTheSameEachTime) {
  ThreadPool pool(3);
  EXPECT_EQ(PartsOf(pool, 1000, 7), PartsOf(pool, 1000, 7));
}

TEST(ParallelForTest, NothingForEmptyRanges) {
  ThreadPool pool(2);
  EXPECT_TRUE(PartsOf(pool, 0, 1).empty());
  EXPECT_TRUE(PartsOf(pool, -5, 1).empty());
}

TEST(ParallelForTest, TakesAnyGrain) {
  ThreadPool pool(2);
  ExpectCover(PartsOf(pool, 10, 0), 10, 1);
  ExpectCover(PartsOf(pool, 10, -3), 10, 1);
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  ExpectCover(PartsOf(pool, kMax, kMax - 1), kMax, kMax - 1);
  ExpectCover(PartsOf(pool, kMax, kMax / 20), kMax, kMax / 20);
}

TEST(ParallelForTest, OneThreadGetsOnePart) {
  InlineExecutor executor;
  EXPECT_EQ(PartsOf(executor, 100, 1), (Parts{{0, 100}}));
}

TEST(ParallelForTest, ResultsAreVisibleToTheCaller) {
  ThreadPool pool(4);
  std::vector<int64_t> squares(10000);
  for (int round = 0; round < 50; ++round) {
    ParallelFor(pool, 10000, 10, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) squares[i] = i * i + round;
    });
    for (int64_t i = 0; i < 10000; ++i) ASSERT_EQ(squares[i], i * i + round);
  }
}

TEST(ParallelForTest, Nests) {
  ThreadPool pool(2);
  std::atomic<int64_t> sum = 0;
  ParallelFor(pool, 8, 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      ParallelFor(pool, 100, 3, [&](int64_t b, int64_t e) { sum += e - b; });
    }
  });
  EXPECT_EQ(sum, 800);
}

TEST(ParallelForTest, RunsInsideTasksThatFillThePool) {
  std::atomic<int64_t> sum = 0;
  {
    ThreadPool pool(2);
    for (int task = 0; task < 20; ++task) {
      pool.Schedule([&] {
        ParallelFor(pool, 1000, 1, [&](int64_t b, int64_t e) { sum += e - b; });
      });
    }
  }
  EXPECT_EQ(sum, 20000);
}

TEST(ParallelForTest, DoesNotWaitForBlockedThreads) {
  ThreadPool pool(2);
  std::atomic<bool> release = false;
  for (int i = 0; i < 2; ++i) {
    pool.Schedule([&] { release.wait(false); });
  }
  int64_t sum = 0;  // only the caller can run parts
  ParallelFor(pool, 100, 1, [&](int64_t b, int64_t e) { sum += e - b; });
  EXPECT_EQ(sum, 100);
  release = true;
  release.notify_all();
}

TEST(ParallelForTest, ManyCallersAtOnce) {
  ThreadPool pool(3);
  std::atomic<int64_t> sum = 0;
  std::vector<std::thread> callers;
  for (int i = 0; i < 4; ++i) {
    callers.emplace_back([&] {
      for (int round = 0; round < 200; ++round) {
        ParallelFor(pool, 64, 1, [&](int64_t b, int64_t e) { sum += e - b; });
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(sum, 4 * 200 * 64);
}

}  // namespace
}  // namespace dovetail
