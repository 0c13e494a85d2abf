#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "dovetail/core/executor/cpus/affinity.h"
#include "dovetail/core/executor/inline_executor.h"
#include "dovetail/core/executor/parallel_for.h"
#include "dovetail/core/executor/pools/growing_pool.h"
#include "dovetail/core/executor/pools/ring_queue.h"
#include "dovetail/core/executor/pools/serial_queue.h"
#include "dovetail/core/executor/pools/streams_executor.h"
#include "dovetail/core/executor/pools/thread_pool.h"
#include "dovetail/core/executor/team/work_team.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

TEST(RingQueueTest, KeepsOrderWhileGrowingAndWrapping) {
  RingQueue<int> queue;
  int pushed = 0, popped = 0;
  for (int round = 0; round < 100; ++round) {
    for (int i = 0; i < round % 23; ++i) queue.push(pushed++);
    for (int i = 0; i < round % 19 && !queue.empty(); ++i) {
      EXPECT_EQ(queue.pop(), popped++);
    }
  }
  while (!queue.empty()) EXPECT_EQ(queue.pop(), popped++);
  EXPECT_EQ(popped, pushed);
}

TEST(RingQueueTest, PoppedItemsAreLetGo) {
  RingQueue<std::shared_ptr<int>> queue;
  const auto item = std::make_shared<int>(1);
  queue.push(item);
  queue.pop();
  EXPECT_EQ(item.use_count(), 1);
}

TEST(InlineExecutorTest, RunsAtOnce) {
  InlineExecutor executor;
  bool ran = false;
  executor.Schedule([&] { ran = true; });
  EXPECT_TRUE(ran);
  EXPECT_EQ(executor.concurrency(), 1);
}

TEST(ThreadPoolTest, RunsEverythingBeforeItEnds) {
  std::atomic<int> ran = 0;
  {
    ThreadPool pool(3, "a name that is longer than allowed");
    EXPECT_EQ(pool.concurrency(), 3);
    for (int i = 0; i < 1000; ++i) pool.Schedule([&] { ++ran; });
  }
  EXPECT_EQ(ran, 1000);
}

TEST(ThreadPoolTest, HasAtLeastOneThread) {
  EXPECT_EQ(ThreadPool(0).concurrency(), 1);
  EXPECT_EQ(ThreadPool(-1).concurrency(), 1);
}

TEST(ThreadPoolTest, TasksRunAtTheSameTime) {
  ThreadPool pool(2);
  std::atomic<int> here = 0;
  for (int i = 0; i < 2; ++i) {
    pool.Schedule([&] {
      ++here;
      here.notify_all();
      while (here < 2) here.wait(1);  // ends only when the other one came too
    });
  }
}

TEST(ThreadPoolTest, TasksMayScheduleTasks) {
  std::atomic<int> ran = 0;
  {
    ThreadPool pool(2);
    std::function<void(int)> chain = [&](int left) {
      ++ran;
      if (left > 0) pool.Schedule([&chain, left] { chain(left - 1); });
    };
    std::atomic<bool> started = false;
    pool.Schedule([&] {
      chain(99);
      started = true;
      started.notify_all();
    });
    started.wait(false);
    while (ran < 100) std::this_thread::yield();
  }
  EXPECT_EQ(ran, 100);
}

TEST(ThreadPoolTest, ATaskMayDestroyThePool) {
  std::atomic<int> ran = 0;
  auto* pool = new ThreadPool(3);
  std::atomic<bool> filled = false;
  pool->Schedule([&] {
    filled.wait(false);
    delete pool;
    EXPECT_EQ(ran, 100);  // what was in the queue has run
    ++ran;
    ran.notify_all();
  });
  for (int i = 0; i < 100; ++i) pool->Schedule([&] { ++ran; });
  filled = true;
  filled.notify_all();
  while (ran < 101) std::this_thread::yield();
}

// As a callback does that drops the last user of a model: it may well be faster
// than Schedule's return. For asan and tsan.
TEST(ThreadPoolTest, ATaskMayDestroyThePoolWhileItIsBeingScheduled) {
  for (int i = 0; i < 200; ++i) {
    std::atomic<bool> destroyed = false;
    auto* pool = new ThreadPool(1);
    auto* queue = new SerialQueue(pool);
    queue->Schedule([&] {
      delete queue;
      delete pool;
      destroyed = true;
    });
    while (!destroyed) std::this_thread::yield();
  }
}

TEST(SerialQueueTest, RunsInOrderAndOneAtATime) {
  std::vector<int> order;  // unguarded: the queue is the guard
  ThreadPool pool(4);
  {
    SerialQueue queue(&pool);
    for (int i = 0; i < 1000; ++i) {
      queue.Schedule([&order, i] { order.push_back(i); });
    }
  }
  ASSERT_EQ(order.size(), 1000u);
  EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
}

TEST(SerialQueueTest, QueuesShareAPool) {
  ThreadPool pool(2);
  int a = 0, b = 0;
  {
    SerialQueue first(&pool), second(&pool);
    for (int i = 0; i < 500; ++i) {
      first.Schedule([&] { ++a; });
      second.Schedule([&] { ++b; });
    }
  }
  EXPECT_EQ(a, 500);
  EXPECT_EQ(b, 500);
}

TEST(SerialQueueTest, SchedulesFromManyThreadsAndFromItsTasks) {
  ThreadPool pool(3);
  int ran = 0;
  {
    SerialQueue queue(&pool);
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&] {
        for (int i = 0; i < 100; ++i) {
          queue.Schedule([&] { queue.Schedule([&] { ++ran; }); });
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
  EXPECT_EQ(ran, 400);
}

TEST(SerialQueueTest, ATaskMayDestroyTheQueue) {
  std::atomic<int> ran = 0;
  {
    ThreadPool pool(2);
    auto* queue = new SerialQueue(&pool);
    std::atomic<bool> filled = false;
    queue->Schedule([&] {
      filled.wait(false);
      delete queue;
      EXPECT_EQ(ran, 2);
      ++ran;
    });
    queue->Schedule([&] { ++ran; });
    queue->Schedule([&] { ++ran; });
    filled = true;
    filled.notify_all();
    while (ran < 3) std::this_thread::yield();
  }
  EXPECT_EQ(ran, 3);
}

TEST(StreamsExecutorTest, GivesStreamsInTurn) {
  StreamsExecutor streams(2, 1);
  EXPECT_EQ(streams.stream_count(), 2);
  EXPECT_EQ(&streams.NextStream(), &streams.stream(0));
  EXPECT_EQ(&streams.NextStream(), &streams.stream(1));
  EXPECT_EQ(&streams.NextStream(), &streams.stream(0));
}

TEST(StreamsExecutorTest, LoopsUseTheThreadsOfTheStream) {
  StreamsExecutor streams(2, 3);
  StreamsExecutor::Stream& stream = streams.stream(1);
  EXPECT_EQ(stream.threads(), 3);
  EXPECT_EQ(stream.loops().concurrency(), 3);
  std::atomic<int> here = 0;
  std::atomic<bool> done = false;
  stream.tasks().Schedule([&] {
    // Three parts that wait for each other: each has a thread of its own.
    ParallelFor(stream.loops(), 3, 1, [&](int64_t, int64_t) {
      ++here;
      while (here < 3) std::this_thread::yield();
    });
    done = true;
    done.notify_all();
  });
  done.wait(false);
  EXPECT_EQ(here, 3);
}

TEST(StreamsExecutorTest, ExecutorAndTeamAreTheSameThreads) {
  StreamsExecutor streams(1, 3);
  StreamsExecutor::Stream& stream = streams.stream(0);
  EXPECT_EQ(stream.team().threads(), 3);
  std::atomic<int> in_team = 0;
  stream.loops().RunParts(10, [&](int) { in_team += WorkTeam::InBody(); });
  EXPECT_EQ(in_team, 10);
}

TEST(StreamsExecutorTest, WithOneThreadLoopsStayInTheirCaller) {
  StreamsExecutor streams(1, 1);
  StreamsExecutor::Stream& stream = streams.stream(0);
  const auto stay = [&] {
    const std::thread::id caller = std::this_thread::get_id();
    ParallelFor(stream.loops(), 100, 1, [&](int64_t begin, int64_t end) {
      EXPECT_EQ(std::this_thread::get_id(), caller);
      EXPECT_EQ(end - begin, 100);
    });
  };
  stay();
  stream.tasks().Schedule(stay);
}

// ---- On an application's executor ----

TEST(WorkTeamOnExecutorTest, CallsEachTaskOnceInFewEnoughThreads) {
  ThreadPool pool(4);
  WorkTeam team(&pool, 2);
  EXPECT_EQ(team.threads(), 2);
  EXPECT_EQ(WorkTeam(&pool, 9).threads(), 4);
  EXPECT_EQ(WorkTeam(&pool, 0).threads(), 1);
  std::atomic<int> at_once = 0, most = 0;
  std::vector<std::atomic<int>> calls(1000);
  team.Run(1000, [&](int i) {
    EXPECT_TRUE(WorkTeam::InBody());
    const int now = ++at_once;
    int seen = most;
    while (seen < now && !most.compare_exchange_weak(seen, now)) {
    }
    ++calls[i];
    --at_once;
  });
  for (const auto& count : calls) EXPECT_EQ(count, 1);
  EXPECT_LE(most, 2);
}

TEST(WorkTeamOnExecutorTest, NeedsNoThreadThatIsFree) {
  std::atomic<int> done = 0, finished = 0;
  std::promise<void> ended;
  ThreadPool pool(2);
  WorkTeam team(&pool, 2);
  // Both threads are in tasks, which loop, and loop within their loops.
  for (int i = 0; i < 2; ++i) {
    pool.Schedule([&] {
      team.Run(8, [&](int) { team.Run(8, [&](int) { ++done; }); });
      if (++finished == 2) ended.set_value();
    });
  }
  ended.get_future().wait();
  EXPECT_EQ(done, 128);
}

TEST(SerialQueueTest, EndsInTheOnlyThreadThatCouldRunItsTasks) {
  int ran = 0;
  std::promise<void> scheduled;
  {
    ThreadPool pool(1);
    auto* const queue = new SerialQueue(&pool);
    pool.Schedule([&, queue] {
      scheduled.get_future().wait();
      delete queue;
      EXPECT_EQ(ran, 2);
    });
    // The second one as the queue ends.
    queue->Schedule([&ran, queue] {
      ++ran;
      queue->Schedule([&ran] { ++ran; });
    });
    scheduled.set_value();
  }
  EXPECT_EQ(ran, 2);
}

TEST(StreamsExecutorTest, StreamsOfAnExecutorKeepTheirOrder) {
  std::vector<int> order;
  std::promise<void> ended;
  auto pool = std::make_shared<ThreadPool>(3);
  StreamsExecutor streams(pool, 2, 2);
  const std::weak_ptr<ThreadPool> kept = pool;
  pool.reset();
  EXPECT_FALSE(kept.expired());
  ASSERT_EQ(streams.stream_count(), 2);
  EXPECT_EQ(streams.stream(1).threads(), 2);
  EXPECT_EQ(streams.stream(1).loops().concurrency(), 2);
  for (int i = 0; i < 100; ++i) {
    streams.stream(1).tasks().Schedule([&, i] {
      order.push_back(i);
      if (i == 99) ended.set_value();
    });
  }
  ended.get_future().wait();
  EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
  EXPECT_EQ(order.size(), 100u);
}

TEST(GrowingPoolTest, TasksMayWaitForLaterOnes) {
  constexpr int kTasks = 20;
  std::promise<void> last;
  const std::shared_future<void> last_has_run = last.get_future().share();
  std::atomic<int> ended = 0;
  {
    GrowingPool pool("test");
    for (int i = 0; i + 1 < kTasks; ++i) {
      pool.Schedule([&, last_has_run] {
        last_has_run.wait();
        ++ended;
      });
    }
    pool.Schedule([&] { last.set_value(); });
    last_has_run.wait();
    EXPECT_EQ(pool.concurrency(), kTasks);
  }
  EXPECT_EQ(ended, kTasks - 1);
}

// A thread inherits the processors of the one that starts it.
TEST(GrowingPoolTest, ThreadsThatAPinnedOneNeedsRunWhereThePoolWasMade) {
  const CpuSet usable = AffinityOf(pthread_self());
  if (usable.empty()) GTEST_SKIP() << "the system does not say";
  GrowingPool pool("test");
  CpuSet of_task;
  std::thread pinned([&] {
    ASSERT_TRUE(SetAffinity(pthread_self(), {usable.front()}));
    std::promise<void> ran;
    pool.Schedule([&] {
      of_task = AffinityOf(pthread_self());
      ran.set_value();
    });
    ran.get_future().wait();
  });
  pinned.join();
  EXPECT_EQ(of_task, usable);
}

TEST(GrowingPoolTest, OneThreadIsEnoughForOneTaskAtATime) {
  GrowingPool pool("test");
  for (int i = 0; i < 100; ++i) {
    std::promise<void> ran;
    pool.Schedule([&] { ran.set_value(); });
    ran.get_future().wait();
  }
  // A thread that has not come back from its task yet is not free.
  EXPECT_LT(pool.concurrency(), 50);
}

}  // namespace
}  // namespace dovetail
