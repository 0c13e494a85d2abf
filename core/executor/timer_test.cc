#include "dovetail/core/executor/timer.h"

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "gtest/gtest.h"

namespace dovetail {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;

void Await(const std::atomic<bool>& flag) {
  while (!flag) std::this_thread::yield();
}

// Gives three tasks, the last one first; false when that took so long that the
// last one may have become due before the others were given.
bool GiveInReverse(std::vector<int>& order) {
  Timer timer;
  std::atomic<bool> given = false, done = false;
  const auto hold = timer.After(nanoseconds(0), [&] { Await(given); });
  const auto start = std::chrono::steady_clock::now();
  const auto c = timer.After(milliseconds(100), [&] {
    order.push_back(3);
    done = true;
  });
  const auto a = timer.After(nanoseconds(0), [&] { order.push_back(1); });
  const auto b = timer.After(nanoseconds(0), [&] { order.push_back(2); });
  const auto end = std::chrono::steady_clock::now();
  EXPECT_TRUE(hold.ok() && a.ok() && b.ok() && c.ok());
  given = true;
  Await(done);
  return end - start < milliseconds(100);
}

TEST(TimerTest, RunsTasksInTheOrderOfTheirTimes) {
  std::vector<int> order;
  while (!GiveInReverse(order)) order.clear();
  EXPECT_EQ(order, (std::vector<int>{1, 2, 3}));
}

TEST(TimerTest, NeverRunsATaskTooEarly) {
  Timer timer;
  const auto start = std::chrono::steady_clock::now();
  std::atomic<bool> done = false;
  ASSERT_TRUE(timer
                  .After(milliseconds(20),
                         [&] {
                           EXPECT_GE(std::chrono::steady_clock::now() - start,
                                     milliseconds(20));
                           done = true;
                         })
                  .ok());
  Await(done);
}

TEST(TimerTest, WaitsThatMakeNoSense) {
  Timer timer;
  std::atomic<bool> done = false;
  ASSERT_TRUE(timer.After(nanoseconds::max(), [] { FAIL(); }).ok());
  ASSERT_TRUE(timer.After(nanoseconds::min(), [&] { done = true; }).ok());
  Await(done);
}

TEST(TimerTest, ACancelledTaskDoesNotRun) {
  Timer timer;
  const auto held = std::make_shared<int>();
  const auto id = timer.After(hours(1), [held] { FAIL(); });
  ASSERT_TRUE(id.ok());
  EXPECT_EQ(held.use_count(), 2);
  EXPECT_TRUE(timer.Cancel(*id));
  EXPECT_EQ(held.use_count(), 1);
  EXPECT_FALSE(timer.Cancel(*id));
  EXPECT_FALSE(timer.Cancel(12345));
}

TEST(TimerTest, CancelWaitsForATaskThatRuns) {
  Timer timer;
  for (int round = 0; round < 200; ++round) {
    auto value = std::make_unique<std::atomic<int>>(0);
    const auto id = timer.After(nanoseconds(0), [v = value.get()] { ++*v; });
    ASSERT_TRUE(id.ok());
    const bool before = timer.Cancel(*id);
    EXPECT_EQ(*value, before ? 0 : 1);
    value.reset();  // a task that still ran would write to freed memory
  }
}

TEST(TimerTest, ATaskMayCancelItselfAndGiveMore) {
  Timer timer;
  std::atomic<Timer::Id> own = 0;
  std::atomic<bool> done = false;
  const auto id = timer.After(milliseconds(1), [&] {
    while (own == 0) std::this_thread::yield();
    EXPECT_FALSE(timer.Cancel(own));
    EXPECT_TRUE(timer.After(nanoseconds(0), [&] { done = true; }).ok());
  });
  ASSERT_TRUE(id.ok());
  own = *id;
  Await(done);
}

TEST(TimerTest, DropsWhatIsNotDueAtItsEnd) {
  const auto held = std::make_shared<int>();
  {
    Timer timer;
    ASSERT_TRUE(timer.After(hours(1), [held] { FAIL(); }).ok());
  }
  EXPECT_EQ(held.use_count(), 1);
}

}  // namespace
}  // namespace dovetail
