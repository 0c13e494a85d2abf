#include "dovetail/core/executor/team/movable_thread.h"

#include <sched.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "gtest/gtest.h"

namespace dovetail {
namespace {

std::vector<int> AllowedCpus() {
  cpu_set_t set;
  CPU_ZERO(&set);
  EXPECT_EQ(sched_getaffinity(0, sizeof(set), &set), 0);
  std::vector<int> cpus;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(cpu, &set)) cpus.push_back(cpu);
  }
  return cpus;
}

// A thread that tells where it is as often as it can.
class MovableThreadTest : public testing::Test {
 protected:
  void SetUp() override {
    thread_.Start(
        [this] {
          while (!stopping_) {
            if (leave_.exchange(false)) thread_.Leave(CurrentCpu());
            cpus_ = AllowedCpus().size();
            cpu_ = CurrentCpu();
            ++rounds_;
          }
        },
        "movable");
  }
  void TearDown() override {
    stopping_ = true;
    thread_.Join();
  }
  // What it tells from now on.
  void Look() {
    const int64_t now = rounds_;
    while (rounds_ < now + 2) std::this_thread::yield();
  }

  MovableThread thread_;
  std::atomic<bool> stopping_ = false, leave_ = false;
  std::atomic<int64_t> rounds_ = 0;
  std::atomic<size_t> cpus_ = 0;
  std::atomic<int> cpu_ = -1;
};

TEST_F(MovableThreadTest, IsBroughtToEachCpuAndReleased) {
  const std::vector<int> allowed = AllowedCpus();
  for (const int cpu : allowed) {
    if (!thread_.MigrateTo(cpu)) GTEST_SKIP() << "threads cannot be moved here";
    Look();
    EXPECT_EQ(cpu_, cpu);
    EXPECT_EQ(cpus_, 1u);
    EXPECT_FALSE(thread_.MigrateTo(cpu));  // one at a time
    thread_.Release(cpu);
    Look();
    EXPECT_EQ(cpus_, allowed.size());
  }
}

TEST_F(MovableThreadTest, LeavingKeepsTheAllowedCpus) {
  leave_ = true;
  while (leave_) std::this_thread::yield();
  Look();
  EXPECT_EQ(cpus_, AllowedCpus().size());
}

TEST_F(MovableThreadTest, RefusesNoCpus) {
  EXPECT_FALSE(thread_.MigrateTo(-1));
  EXPECT_FALSE(thread_.MigrateTo(CPU_SETSIZE));
  Look();
  EXPECT_EQ(cpus_, AllowedCpus().size());
}

TEST_F(MovableThreadTest, CpuTimeOfAThreadThatRunsGrows) {
  const std::chrono::nanoseconds before = thread_.CpuTime();
  const int64_t now = rounds_;
  while (rounds_ < now + 100) std::this_thread::yield();
  EXPECT_GT(thread_.CpuTime(), before);
}

}  // namespace
}  // namespace dovetail
