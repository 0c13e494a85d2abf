#include "dovetail/core/executor/pools/threads.h"

#include <atomic>
#include <thread>
#include <vector>

#include "dovetail/core/executor/cpus/cpu_info.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

TEST(ThreadsTest, ThereIsOneAProcess) {
  EXPECT_EQ(Threads::OfProcess(), Threads::OfProcess());
  EXPECT_EQ(&Threads::OfProcess()->timer(), &Threads::OfProcess()->timer());
}

TEST(ThreadsTest, StreamsOfOneFormAreShared) {
  const auto threads = Threads::OfProcess();
  const auto a = threads->SharedStreams(1, 2);
  EXPECT_EQ(a, threads->SharedStreams(1, 2));
  EXPECT_NE(a, threads->SharedStreams(2, 1));
  EXPECT_EQ(a->stream_count(), 1);
  EXPECT_EQ(a->stream(0).threads(), 2);
}

TEST(ThreadsTest, WhatNobodyUsesEnds) {
  const auto threads = Threads::OfProcess();
  std::weak_ptr<void> streams = threads->SharedStreams(3, 1);
  EXPECT_TRUE(streams.expired());
  std::weak_ptr<void> named = threads->NamedExecutor("test");
  EXPECT_TRUE(named.expired());
  std::weak_ptr<void> team = threads->CompileTeam(0);
  EXPECT_TRUE(team.expired());
  EXPECT_EQ(threads->SharedStreams(3, 1)->stream_count(), 3);
}

TEST(ThreadsTest, ANamedExecutorRunsOneTaskAtATimeInOrder) {
  const auto threads = Threads::OfProcess();
  auto executor = threads->NamedExecutor("NPU");
  EXPECT_EQ(executor, threads->NamedExecutor("NPU"));
  EXPECT_NE(executor, threads->NamedExecutor("GPU"));
  EXPECT_EQ(executor->concurrency(), 1);
  std::vector<int> order;
  std::thread::id thread;
  for (int i = 0; i < 100; ++i) {
    threads->NamedExecutor("NPU")->Schedule([&, i] {
      if (i == 0) thread = std::this_thread::get_id();
      EXPECT_EQ(thread, std::this_thread::get_id());
      order.push_back(i);
    });
  }
  executor.reset();  // the last user waits for the tasks
  ASSERT_EQ(order.size(), 100u);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(order[i], i);
  EXPECT_NE(thread, std::this_thread::get_id());
}

TEST(ThreadsTest, CompilationsShareATeamOfAllProcessorsOrFewer) {
  const auto threads = Threads::OfProcess();
  const auto all = threads->CompileTeam(0);
  EXPECT_EQ(all, threads->CompileTeam(0));
  EXPECT_EQ(all, threads->CompileTeam(100000));
  EXPECT_EQ(all->threads(), UsableCpus());
  EXPECT_EQ(threads->CompileTeam(1)->threads(), 1);
  // Both at a time get done.
  std::atomic<int> calls = 0;
  const auto loop = [&] { all->Run(1000, [&](int) { ++calls; }); };
  std::thread other(loop);
  loop();
  other.join();
  EXPECT_EQ(calls, 2000);
}

}  // namespace
}  // namespace dovetail
