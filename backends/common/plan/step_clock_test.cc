#include "dovetail/backends/common/plan/step_clock.h"

#include "dovetail/core/executor/thread_clock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

TEST(StepClockTest, CountsTheTimeOfHelpersForTheStepThatTheyHelp) {
  constexpr int64_t kSecond = 1'000'000'000;
  StepClock clock;
  const StepLabel first = {"first", "Add", "kernel"};
  const StepLabel then = {"then", "Relu", "kernel"};
  clock.Begin();
  clock.helpers_ns() += kSecond;  // nobody's
  clock.Start(first);
  clock.helpers_ns() += 2 * kSecond;
  clock.Stop();
  clock.Start(then);
  clock.Stop();
  const auto records = clock.records();
  ASSERT_EQ(records.size(), 2u);
  EXPECT_GE(records[0].cpu_ns, 2 * kSecond);
  EXPECT_LT(records[0].cpu_ns, 3 * kSecond);
  EXPECT_LT(records[1].cpu_ns, kSecond);
}

// How long the thread has had the processor, at least.
void Work(int64_t ns) {
  const int64_t end_ns = ThreadCpuNanoseconds() + ns;
  while (ThreadCpuNanoseconds() < end_ns) {
  }
}

TEST(StepClockTest, StepsThatRunAgainAddUpAndAreNotPartOfTheirLoop) {
  constexpr int64_t kWork = 200'000;

  StepClock clock;
  const StepLabel loop = {"loop", "Loop", "kernel"};
  const StepLabel body = {"body", "Add", "kernel"};
  const int64_t start_ns = SteadyNanoseconds();
  clock.Begin();
  clock.Start(loop);
  Work(kWork);
  for (int i = 0; i < 3; ++i) {
    clock.Start(body);
    Work(kWork);
    clock.Stop();
  }
  clock.Stop();
  const int64_t all_ns = SteadyNanoseconds() - start_ns;
  const auto records = clock.records();
  ASSERT_EQ(records.size(), 2u);
  EXPECT_EQ(records[0].name, "loop");
  EXPECT_EQ(records[1].name, "body");
  EXPECT_GE(records[0].duration_ns, kWork);
  EXPECT_GE(records[1].duration_ns, 3 * kWork);
  EXPECT_LE(records[0].duration_ns + records[1].duration_ns, all_ns);
  EXPECT_GE(records[0].cpu_ns, kWork);
  EXPECT_GE(records[1].cpu_ns, 3 * kWork);
  clock.Begin();
  EXPECT_TRUE(clock.records().empty());
}

// Plans come and go, and a new step may lie where an old one lay.
TEST(StepClockTest, AWaitForADeviceIsNoStepsTime) {
  constexpr int64_t kWait = 50'000'000;
  StepClock clock;
  const StepLabel step = {"host", "Relu", "kernel"};
  clock.Begin();
  const int64_t end_ns = SteadyNanoseconds() + kWait;
  while (SteadyNanoseconds() < end_ns) {
  }
  clock.Skip();
  clock.Start(step);
  clock.Stop();
  EXPECT_GE(clock.records()[0].start_ns, end_ns);
}

TEST(StepClockTest, AStepIsCalledWhatItIsNow) {
  StepClock clock;
  StepLabel label = {"old", "Add", "kernel"};
  for (const char* name : {"old", "new"}) {
    label.name = name;
    clock.Begin();
    clock.Start(label);
    clock.Stop();
    ASSERT_EQ(clock.records().size(), 1u);
    EXPECT_EQ(clock.records()[0].name, name);
  }
}

}  // namespace
}  // namespace dovetail
