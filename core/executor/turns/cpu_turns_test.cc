#include "dovetail/core/executor/turns/cpu_turns.h"

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "gtest/gtest.h"

namespace dovetail {
namespace {

using Used = CpuTurns::Used;
using std::chrono::milliseconds;

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
  std::thread one([&] { turns.Await(Used(0)); }),
      other([&] { turns.Await(Used(0)); });
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
    turns.Await(Used(0));
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
    turns.Await(Used(0));
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
    turns.Await(Used(0));
    order.push_back(1);
    turns.Return(1);
  });
  WaitUntilWanted(turns);
  turns.PassOn(Used(0));
  order.push_back(2);
  turns.Return(1);
  other.join();
  EXPECT_EQ(order, (std::vector<int>{1, 2}));
}

TEST(CpuTurnsTest, TheProcessKeepsToItsShareOfThem) {
  CpuTurns turns(4);
  turns.SetShare(2);
  EXPECT_EQ(turns.TakeFree(9), 2);
  turns.SetCpus(1);
  EXPECT_TRUE(turns.wanted());
  turns.SetShare(CpuTurns::kUnlimited);
  turns.SetCpus(3);
  EXPECT_EQ(turns.TakeFree(9), 1);
}

TEST(CpuTurnsTest, ThereAreAsManyAsAnybodySees) {
  CpuTurns turns;
  turns.AddCpus(2);
  EXPECT_TRUE(turns.limited());
  turns.AddCpus(1);
  EXPECT_EQ(turns.TakeFree(9), 2);
  turns.AddCpus(3);
  EXPECT_EQ(turns.TakeFree(9), 1);
}

TEST(CpuTurnsTest, EachInferenceMayHaveAsManyAsTheOthers) {
  CpuTurns turns(7);
  EXPECT_EQ(turns.Share(), 7);
  turns.Join();
  EXPECT_EQ(turns.Share(), 7);
  turns.Join();
  EXPECT_EQ(turns.Share(), 3);
  for (int i = 0; i < 8; ++i) turns.Join();
  EXPECT_EQ(turns.Share(), 1);
  for (int i = 0; i < 9; ++i) turns.Part();
  EXPECT_EQ(turns.Share(), 7);
}

TEST(CpuTurnsTest, WhoHasComputedLessGoesFirst) {
  CpuTurns turns(1);
  ASSERT_EQ(turns.TakeFree(1), 1);
  std::vector<int> order;  // guarded by the one processor
  std::vector<std::thread> threads;
  for (const int ms : {30, 20, 10}) {
    threads.emplace_back([&, ms] {
      turns.Await(milliseconds(ms));
      order.push_back(ms);
      turns.Return(1);
    });
    while (turns.first() != milliseconds(ms)) std::this_thread::yield();
  }
  turns.Return(1);
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(order, (std::vector<int>{10, 20, 30}));
  EXPECT_EQ(turns.first(), Used::max());
}

TEST(CpuTurnsTest, WhoWasIdleIsNotFarBehindTheOthers) {
  CpuTurns turns(1);
  EXPECT_EQ(turns.Enter(milliseconds(3)), milliseconds(3));
  turns.Advance(milliseconds(500));
  turns.Advance(milliseconds(400));
  EXPECT_EQ(turns.Enter(milliseconds(3)),
            milliseconds(500) - CpuTurns::kCredit);
  EXPECT_EQ(turns.Enter(milliseconds(600)), milliseconds(600));
}

// No more than two at a time, whatever happens, and all get there.
TEST(CpuTurnsTest, ManyThreadsShareFew) {
  CpuTurns turns(2);
  std::atomic<int> computing = 0, most = 0, rounds = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 6; ++i) {
    threads.emplace_back([&, i] {
      for (int round = 0; round < 300; ++round) {
        if (turns.TakeFree(1) == 0) turns.Await(Used(0));
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
  std::thread first([&] { turns.Await(Used(0)); }),
      second([&] { turns.Await(Used(0)); });
  first.join();
  second.join();
  EXPECT_TRUE(turns.wanted());
  turns.Return(3);
  EXPECT_EQ(turns.TakeFree(9), 1);
}

}  // namespace
}  // namespace dovetail
