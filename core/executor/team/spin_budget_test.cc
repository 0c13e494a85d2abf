#include "dovetail/core/executor/team/spin_budget.h"

#include <memory>
#include <vector>

#include "dovetail/core/executor/cpus/cpu_info.h"
#include "dovetail/core/executor/team/work_team.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

TEST(SpinBudgetTest, IsCrowdedWithMoreThreadsThanProcessors) {
  SpinBudget budget(2);
  EXPECT_FALSE(budget.crowded());
  budget.Enter(2);
  EXPECT_FALSE(budget.crowded());
  budget.Enter(1);
  EXPECT_TRUE(budget.crowded());
  budget.Leave(2);
  EXPECT_FALSE(budget.crowded());
  EXPECT_EQ(budget.at_work(), 1);
}

TEST(SpinBudgetTest, HelpersTakeTurnsWhereTheShareIsBelowTwoProcessors) {
  SpinBudget budget(8);
  EXPECT_FALSE(budget.HelpersTakeTurns(4));  // nobody is at work
  budget.Enter(4);
  EXPECT_FALSE(budget.HelpersTakeTurns(4));
  budget.Enter(12);  // 4 of 16: two processors
  EXPECT_FALSE(budget.HelpersTakeTurns(4));
  budget.Enter(1);
  EXPECT_TRUE(budget.HelpersTakeTurns(4));
  EXPECT_FALSE(budget.HelpersTakeTurns(8));
}

// However few processors there are: all that are at work are these.
TEST(SpinBudgetTest, ATeamAloneTakesTurnsWithNobody) {
  SpinBudget budget(1);
  budget.Enter(4);
  EXPECT_FALSE(budget.HelpersTakeTurns(4));
}

// One team of all processors and as many teams of one thread: each form alone
// fits, both together do not.
TEST(SpinBudgetTest, TeamsOfDifferentFormsDoNotAllSpin) {
  const int cpus = UsableCpus();
  WorkTeam wide(cpus, /*may_spin=*/true);
  std::vector<std::unique_ptr<WorkTeam>> narrow;
  for (int i = 0; i < cpus; ++i) {
    narrow.push_back(std::make_unique<WorkTeam>(1, /*may_spin=*/true));
  }
  EXPECT_TRUE(wide.spins());
  {
    const WorkTeam::Session inference(wide);
    EXPECT_TRUE(wide.spins());
    const WorkTeam::Session other(*narrow[0]);
    EXPECT_FALSE(wide.spins());
    EXPECT_FALSE(narrow[0]->spins());
    // They still do their work.
    std::atomic<int> calls = 0;
    wide.Run(100, [&](int) { ++calls; });
    EXPECT_EQ(calls, 100);
  }
  EXPECT_TRUE(wide.spins());
  std::vector<std::unique_ptr<WorkTeam::Session>> sessions;
  for (const auto& team : narrow) {
    sessions.push_back(std::make_unique<WorkTeam::Session>(*team));
  }
  EXPECT_TRUE(narrow[0]->spins());
}

}  // namespace
}  // namespace dovetail
