#include "dovetail/core/executor/team/work_team.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "dovetail/core/executor/pools/thread_pool.h"
#include "dovetail/core/executor/thread_clock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

// How often each task of a Run was called.
std::vector<int> CallsOf(WorkTeam& team, int count) {
  std::vector<std::atomic<int>> calls(count);
  team.Run(count, [&](int i) { ++calls[i]; });
  return {calls.begin(), calls.end()};
}

// Calls until the number is reached by others.
void WaitUntil(const std::atomic<int>& number, int wanted) {
  while (number < wanted) std::this_thread::yield();
}

// ---- Run ----

TEST(WorkTeamTest, CallsEachTaskOnce) {
  for (const int threads : {-1, 1, 2, 3, 8}) {
    WorkTeam team(threads);
    EXPECT_EQ(team.threads(), std::max(1, threads));
    for (const int count : {0, 1, 2, 3, 8, 9, 1000}) {
      EXPECT_EQ(CallsOf(team, count), std::vector<int>(count, 1));
    }
    team.Run(-1, [](int) { FAIL(); });
  }
}

TEST(WorkTeamTest, AloneRunsInTheCallerAndInOrder) {
  WorkTeam team(1);
  const std::thread::id caller = std::this_thread::get_id();
  std::vector<int> order;
  team.Run(3, [&](int i) {
    EXPECT_EQ(std::this_thread::get_id(), caller);
    EXPECT_FALSE(WorkTeam::InBody());
    order.push_back(i);
  });
  EXPECT_EQ(order, (std::vector<int>{0, 1, 2}));
}

// Two tasks, each in a thread of its own, that take at least so long.
void RunTwoBusyTasks(WorkTeam& team, int64_t least_ns) {
  std::atomic<int> begun = 0;
  team.Run(2, [&](int) {
    ++begun;
    WaitUntil(begun, 2);
    const int64_t end_ns = ThreadCpuNanoseconds() + least_ns;
    while (ThreadCpuNanoseconds() < end_ns) {
    }
  });
}

TEST(WorkTeamTest, TheTimeOfHelpersIsCountedWhereThatIsAskedFor) {
  constexpr int64_t kLeastNs = 1'000'000;
  WorkTeam team(2);
  std::atomic<int64_t> ns = 0, inner_ns = 0;
  {
    const WorkTeam::CountHelpers counted(ns);
    RunTwoBusyTasks(team, kLeastNs);
    const int64_t first = ns;
    EXPECT_GE(first, kLeastNs);
    {
      const WorkTeam::CountHelpers inner(inner_ns);
      RunTwoBusyTasks(team, kLeastNs);
    }
    EXPECT_EQ(ns, first) << "the innermost counts";
    EXPECT_GE(inner_ns, kLeastNs);
    RunTwoBusyTasks(team, kLeastNs);
    EXPECT_GE(ns, first + kLeastNs);
    // The caller's own time is not that of helpers.
    const int64_t before = ns;
    team.Run(1, [](int) {});
    EXPECT_EQ(ns, before);
  }
  const int64_t after = ns;
  RunTwoBusyTasks(team, kLeastNs);
  EXPECT_EQ(ns, after);
}

TEST(WorkTeamTest, TheTimeOfAnExecutorsThreadsIsCountedToo) {
  constexpr int64_t kLeastNs = 1'000'000;
  ThreadPool pool(2, "test");
  WorkTeam team(&pool, 2);
  std::atomic<int64_t> ns = 0;
  {
    const WorkTeam::CountHelpers counted(ns);
    RunTwoBusyTasks(team, kLeastNs);
  }
  const int64_t after = ns;
  EXPECT_GE(after, kLeastNs);
  RunTwoBusyTasks(team, kLeastNs);
  EXPECT_EQ(ns, after);
}

TEST(WorkTeamTest, OneTaskRunsInTheCaller) {
  WorkTeam team(3);
  for (int round = 0; round < 100; ++round) {
    team.Run(1, [caller = std::this_thread::get_id()](int) {
      EXPECT_EQ(std::this_thread::get_id(), caller);
    });
  }
}

TEST(WorkTeamTest, AllThreadsTakePart) {
  for (const bool may_spin : {false, true}) {
    for (const int threads : {2, 3, 9}) {
      WorkTeam team(threads, may_spin);
      std::optional<WorkTeam::Session> session;
      for (int round = 0; round < 20; ++round) {
        if (round == 10) session.emplace(team);
        std::atomic<int> here = 0;
        team.Run(threads, [&](int) {
          ++here;
          WaitUntil(here, threads);  // each task needs a thread of its own
        });
        EXPECT_EQ(here, threads);
      }
    }
  }
}

// Thirds of the tasks, whose first ones wait until all have begun.
TEST(WorkTeamTest, EachBeginsWithItsShare) {
  constexpr int kThreads = 3, kTasks = 10;
  WorkTeam team(kThreads);
  const std::thread::id caller = std::this_thread::get_id();
  for (int round = 0; round < 100; ++round) {
    std::vector<std::atomic<bool>> first(kTasks);
    std::atomic<int> here = 0;
    team.Run(kTasks, [&](int i) {
      static thread_local int last_round = -1;
      if (std::exchange(last_round, round) == round) return;
      first[i] = true;
      EXPECT_EQ(i == 0, std::this_thread::get_id() == caller);
      ++here;
      WaitUntil(here, kThreads);
    });
    for (int i = 0; i < kTasks; ++i) {
      EXPECT_EQ(first[i], i == 0 || i == 4 || i == 7) << i;
    }
  }
}

// A helper that does not come is not waited for: the two tasks that hold the
// helpers end only after the caller has done all others.
TEST(WorkTeamTest, TheCallerDoesWhatNobodyTakes) {
  WorkTeam team(3);
  const std::thread::id caller = std::this_thread::get_id();
  std::atomic<int> held = 0, done = 0;
  team.Run(100, [&](int) {
    if (std::this_thread::get_id() == caller) {
      WaitUntil(held, 2);
      ++done;
    } else {
      ++held;
      WaitUntil(done, 98);
    }
  });
  EXPECT_EQ(held, 2);
  EXPECT_EQ(done, 98);
}

TEST(WorkTeamTest, ResultsAreVisibleToTheCaller) {
  WorkTeam team(3);
  const WorkTeam::Session session(team);
  std::vector<int> values(64);
  for (int round = 0; round < 5000; ++round) {
    team.Run(64, [&](int i) { values[i] += i + round; });
  }
  for (int i = 0; i < 64; ++i) {
    EXPECT_EQ(values[i], 5000 * i + 4999 * 5000 / 2);
  }
}

// Each task sees what the loop before wrote, whichever thread wrote it.
TEST(WorkTeamTest, LoopsFollowEachOther) {
  for (const bool may_spin : {false, true}) {
    WorkTeam team(2, may_spin);
    const WorkTeam::Session session(team);
    std::vector<int> from(17, 1), to(17);
    for (int round = 0; round < 2000; ++round) {
      team.Run(17, [&](int i) { to[i] = from[(i + 1) % 17] + 1; });
      from.swap(to);
    }
    EXPECT_EQ(from, std::vector<int>(17, 2001));
  }
}

// ---- Callers in strange places ----

TEST(WorkTeamTest, NestedRunsInTheSameThread) {
  WorkTeam team(2);
  std::atomic<int> calls = 0;
  team.Run(8, [&](int) {
    EXPECT_TRUE(WorkTeam::InBody());
    const std::thread::id thread = std::this_thread::get_id();
    team.Run(10, [&](int) {
      EXPECT_EQ(std::this_thread::get_id(), thread);
      ++calls;
    });
  });
  EXPECT_FALSE(WorkTeam::InBody());
  EXPECT_EQ(calls, 80);
}

TEST(WorkTeamTest, ATeamWithinAnother) {
  WorkTeam outer(2), inner(2);
  std::atomic<int> calls = 0;
  outer.Run(6, [&](int) {
    inner.Run(7, [&](int) { ++calls; });
    EXPECT_TRUE(WorkTeam::InBody());
  });
  EXPECT_EQ(calls, 42);
}

TEST(WorkTeamTest, ManyCallersAtOnce) {
  WorkTeam team(3);
  std::atomic<int64_t> sum = 0;
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 4; ++caller) {
    callers.emplace_back([&] {
      for (int round = 0; round < 500; ++round) {
        const WorkTeam::Session session(team);
        team.Run(10, [&](int i) { sum += i; });
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(sum, 4 * 500 * 45);
}

TEST(WorkTeamTest, TheBusyTeamsSecondCallerWorksAlone) {
  WorkTeam team(2);
  std::atomic<int> held = 0, released = 0;
  std::thread first([&] {
    team.Run(2, [&](int) {
      ++held;
      WaitUntil(released, 1);
    });
  });
  WaitUntil(held, 2);
  int calls = 0;  // unguarded: only this thread counts
  team.Run(50, [&](int) { ++calls; });
  EXPECT_EQ(calls, 50);
  released = 1;
  first.join();
}

// ---- Beginning and end ----

TEST(WorkTeamTest, EndsInEachState) {
  for (int round = 0; round < 300; ++round) {
    WorkTeam team(1 + round % 5, /*may_spin=*/round % 2 == 0);
    std::optional<WorkTeam::Session> session;
    if (round % 3 == 0) session.emplace(team);
    for (int run = 0; run < round % 4; ++run) CallsOf(team, 5);
  }
}

// Helpers fall asleep while loops begin: pauses of all lengths around the time
// for which they spin.
TEST(WorkTeamTest, NoLoopIsLostWhileHelpersFallAsleep) {
  WorkTeam team(3);
  const WorkTeam::Session session(team);
  std::atomic<int> calls = 0;
  volatile int sink = 0;
  for (int round = 0; round < 2000; ++round) {
    team.Run(3, [&](int) { ++calls; });
    for (int i = 0; i < 50 * (round % 1000); ++i) sink = i;
  }
  EXPECT_EQ(calls, 6000);
  EXPECT_GE(sink, 0);
}

// Among far more threads of other teams than there are processors, helpers
// would only take turns with them.
TEST(WorkTeamTest, TheCallerWorksAloneInACrowd) {
  WorkTeam team(2);
  SpinBudget& budget = SpinBudget::OfProcess();
  constexpr int kCrowd = 1 << 20;
  budget.Enter(kCrowd);
  const std::thread::id caller = std::this_thread::get_id();
  std::atomic<int> by_caller = 0;
  team.Run(1000, [&](int) {
    if (std::this_thread::get_id() == caller) ++by_caller;
  });
  budget.Leave(kCrowd);
  EXPECT_EQ(by_caller, 1000);
}

}  // namespace
}  // namespace dovetail
