#include "dovetail/core/executor/turns/cpu_turns.h"

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "gtest/gtest.h"

namespace dovetail {
namespace {

void WaitUntilWanted(const CpuTurns& turns) {
  while (!turns.wanted()) std::this_thread::yield();
}

TEST(CpuTurnsTest, TakesNoMoreThanThereAre) {
  CpuTurns turns(3);
  EXPECT_EQ(turns.TakeFree(0), 0);
  EXPECT_EQ(turns.TakeFree(2), 2);
  EXPECT_EQ(turns.TakeFree(2), 1);
  EXPECT_EQ(turns.TakeFree(1), 0);
  EXPECT_FALSE(turns.wanted());
  turns.Return(2);
  EXPECT_EQ(turns.TakeFree(5), 2);
}

TEST(CpuTurnsTest, ThereIsAlwaysOne) {
  CpuTurns turns(0);
  EXPECT_EQ(turns.TakeFree(2), 1);
}

TEST(CpuTurnsTest, WhenThereAreFewerTheyAreWantedBack) {
  CpuTurns turns(3);
  EXPECT_EQ(turns.TakeFree(3), 3);
  turns.SetCpus(2);
  EXPECT_TRUE(turns.wanted());
  turns.Return(1);
  EXPECT_FALSE(turns.wanted());
  EXPECT_EQ(turns.TakeFree(1), 0);
  turns.SetCpus(4);
  EXPECT_EQ(turns.TakeFree(3), 2);
}

TEST(CpuTurnsTest, WhenTheyAreNotLimitedAnyMoreAllGoOn) {
  CpuTurns turns(1);
  EXPECT_TRUE(turns.limited());
  ASSERT_EQ(turns.TakeFree(1), 1);
  std::thread one([&] { turns.Await(); }), other([&] { turns.Await(); });
  WaitUntilWanted(turns);
  turns.SetCpus(CpuTurns::kUnlimited);
  one.join();
  other.join();
  EXPECT_FALSE(turns.limited());
  EXPECT_FALSE(turns.wanted());
}

TEST(CpuTurnsTest, WhoWaitsGetsWhatIsReturned) {
  CpuTurns turns(1);
  ASSERT_EQ(turns.TakeFree(1), 1);
  std::atomic<bool> has = false;
  std::thread other([&] {
    turns.Await();
    has = true;
    turns.Return(1);
  });
  WaitUntilWanted(turns);
  EXPECT_FALSE(has);
  turns.Return(1);
  other.join();
  EXPECT_TRUE(has);
  EXPECT_FALSE(turns.wanted());
  EXPECT_EQ(turns.TakeFree(2), 1);
}

// Nobody takes it again and nobody wakes them.
TEST(CpuTurnsTest, WhatIsReturnedForAMomentIsFoundByThoseWhoWait) {
  CpuTurns turns(1);
  ASSERT_EQ(turns.TakeFree(1), 1);
  std::thread other([&] {
    turns.Await();
    turns.Return(1);
  });
  WaitUntilWanted(turns);
  turns.ReturnForAMoment(1);
  other.join();
  EXPECT_EQ(turns.TakeFree(2), 1);
}

TEST(CpuTurnsTest, WhoPassesOnComesAfterThoseWhoWait) {
  CpuTurns turns(1);
  ASSERT_EQ(turns.TakeFree(1), 1);
  std::vector<int> order;  // guarded by the one processor
  std::thread other([&] {
    turns.Await();
    order.push_back(1);
    turns.Return(1);
  });
  WaitUntilWanted(turns);
  turns.PassOn();
  order.push_back(2);
  turns.Return(1);
  other.join();
  EXPECT_EQ(order, (std::vector<int>{1, 2}));
}

// No more than two at a time, whatever happens, and all get there.
TEST(CpuTurnsTest, ManyThreadsShareFew) {
  CpuTurns turns(2);
  std::atomic<int> computing = 0, most = 0, rounds = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 6; ++i) {
    threads.emplace_back([&, i] {
      for (int round = 0; round < 300; ++round) {
        if (turns.TakeFree(1) == 0) turns.Await();
        int now = ++computing, before = most;
        while (now > before && !most.compare_exchange_weak(before, now)) {
        }
        ++rounds;
        --computing;
        if (i % 3 == 0) {
          turns.ReturnForAMoment(1);
        } else {
          turns.Return(1);
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(rounds, 6 * 300);
  EXPECT_LE(most, 2);
  EXPECT_EQ(turns.TakeFree(9), 2);
}

// The one that has the processor waits for one that waits for it.
TEST(CpuTurnsTest, NobodyWaitsForEver) {
  CpuTurns turns(1);
  ASSERT_EQ(turns.TakeFree(1), 1);
  std::thread first([&] { turns.Await(); }), second([&] { turns.Await(); });
  first.join();
  second.join();
  EXPECT_TRUE(turns.wanted());
  turns.Return(3);
  EXPECT_EQ(turns.TakeFree(9), 1);
}

}  // namespace
}  // namespace dovetail
