#include "dovetail/core/executor/turns/turn.h"

#include <atomic>
#include <thread>

#include "dovetail/core/executor/team/work_team.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

// Those that are free come when they have been so for a moment.
void LetOthersGoOnUntilHelpers(int count) {
  while (Turn::Helpers() != count) Turn::LetOthersGoOn();
}

TEST(TurnTest, TheThreadHasAProcessorWhileItLives) {
  CpuTurns turns(2);
  EXPECT_EQ(Turn::Helpers(), -1);
  {
    const Turn turn(1, turns);
    EXPECT_EQ(Turn::Helpers(), 0);
    EXPECT_EQ(turns.TakeFree(2), 1);
    turns.Return(1);
  }
  EXPECT_EQ(Turn::Helpers(), -1);
  EXPECT_EQ(turns.TakeFree(3), 2);
}

TEST(TurnTest, OneWithinAnotherDoesNothing) {
  CpuTurns turns(2);
  const Turn outer(2, turns);
  {
    const Turn inner(8, turns);
    EXPECT_EQ(Turn::Helpers(), 1);
  }
  EXPECT_EQ(Turn::Helpers(), 1);
  EXPECT_EQ(turns.TakeFree(1), 0);
}

TEST(TurnTest, HelpersComeWhileProcessorsAreFree) {
  CpuTurns turns(4);
  ASSERT_EQ(turns.TakeFree(2), 2);
  {
    const Turn turn(3, turns);
    EXPECT_EQ(Turn::Helpers(), 1);
    turns.Return(2);
    LetOthersGoOnUntilHelpers(2);
    EXPECT_EQ(turns.TakeFree(9), 1);
    turns.Return(1);
  }
  EXPECT_EQ(turns.TakeFree(9), 4);
}

TEST(TurnTest, HelpersMakeRoomForThoseWhoWait) {
  CpuTurns turns(2);
  const Turn turn(2, turns);
  EXPECT_EQ(Turn::Helpers(), 1);
  std::atomic<bool> done = false;
  std::thread other([&] {
    const Turn mine(1, turns);
    while (!done) std::this_thread::yield();
  });
  while (!turns.wanted()) std::this_thread::yield();
  Turn::LetOthersGoOn();
  EXPECT_EQ(Turn::Helpers(), 0);
  EXPECT_FALSE(turns.wanted());
  Turn::LetOthersGoOn();
  EXPECT_EQ(Turn::Helpers(), 0);
  done = true;
  other.join();
  LetOthersGoOnUntilHelpers(1);
}

// Of sixteen processors, with another inference that would have all of them.
TEST(TurnTest, HelpersAreSharedFairly) {
  CpuTurns turns(16);
  const Turn turn(16, turns);
  EXPECT_EQ(Turn::Helpers(), 15);
  std::atomic<int> helpers_of_other = -1;
  std::atomic<bool> done = false;
  std::thread other([&] {
    const Turn mine(16, turns);
    helpers_of_other = Turn::Helpers();
    while (!done) Turn::LetOthersGoOn();
  });
  while (!turns.wanted()) std::this_thread::yield();
  Turn::LetOthersGoOn();
  EXPECT_EQ(Turn::Helpers(), 7);
  while (helpers_of_other < 0) std::this_thread::yield();
  EXPECT_EQ(helpers_of_other, 7);
  Turn::LetOthersGoOn();
  EXPECT_EQ(Turn::Helpers(), 7);
  done = true;
  other.join();
  LetOthersGoOnUntilHelpers(15);
}

// What the other has no use for stays with the first.
TEST(TurnTest, FewThreadsLeaveTheOthersTheirHelpers) {
  CpuTurns turns(8);
  ASSERT_EQ(turns.TakeFree(1), 1);
  std::atomic<bool> done = false;
  std::atomic<bool> begun = false;
  const Turn turn(8, turns);
  EXPECT_EQ(Turn::Helpers(), 6);
  turns.Return(1);
  std::thread other([&] {
    const Turn mine(1, turns);
    begun = true;
    while (!done) Turn::LetOthersGoOn();
  });
  while (!begun) std::this_thread::yield();
  Turn::LetOthersGoOn();
  EXPECT_EQ(Turn::Helpers(), 6);
  EXPECT_EQ(turns.TakeFree(8), 0);
  done = true;
  other.join();
}

TEST(TurnTest, HelpersGoWhereThereAreFewerProcessors) {
  CpuTurns turns(3);
  const Turn turn(3, turns);
  EXPECT_EQ(Turn::Helpers(), 2);
  turns.SetCpus(1);
  Turn::LetOthersGoOn();
  EXPECT_EQ(Turn::Helpers(), 0);
}

// The team asks no more of them than the turn has, and has them again after it.
TEST(TurnTest, LoopsHaveTheHelpersOfTheTurn) {
  CpuTurns turns(1);
  WorkTeam team(3);
  const std::thread::id caller = std::this_thread::get_id();
  std::atomic<int> by_others = 0;
  {
    const Turn turn(3, turns);
    team.Run(1000, [&](int) {
      if (std::this_thread::get_id() != caller) ++by_others;
    });
  }
  EXPECT_EQ(by_others, 0);
  std::atomic<int> here = 0;
  team.Run(3, [&](int) {
    ++here;
    while (here < 3) std::this_thread::yield();
  });
  EXPECT_EQ(here, 3);
}

// Two threads that would compute for ever come to an end on one processor.
TEST(TurnTest, BetweenLayersOthersGoOn) {
  CpuTurns turns(1);
  std::atomic<int> begun = 0, computing = 0;
  const auto compute = [&] {
    const Turn turn(1, turns);
    ++begun;
    while (begun < 2) {
      EXPECT_EQ(++computing, 1);
      --computing;
      Turn::LetOthersGoOn();
    }
  };
  std::thread one(compute), other(compute);
  one.join();
  other.join();
  EXPECT_EQ(turns.TakeFree(9), 1);
}

TEST(TurnTest, WhereTheyAreNotLimitedItDoesNothing) {
  CpuTurns turns;
  {
    const Turn turn(4, turns);
    EXPECT_EQ(Turn::Helpers(), -1);
    turns.SetCpus(1);  // holds for the next ones
    EXPECT_EQ(turns.TakeFree(1), 1);
  }
  EXPECT_EQ(turns.TakeFree(1), 0);
  turns.Return(1);
  const Turn turn(4, turns);
  EXPECT_EQ(Turn::Helpers(), 0);
}

TEST(TurnTest, WithoutATurnThereIsNothingToPassOn) {
  Turn::LetOthersGoOn();
  EXPECT_EQ(Turn::Helpers(), -1);
}

}  // namespace
}  // namespace dovetail
