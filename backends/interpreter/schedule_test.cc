#include "dovetail/backends/interpreter/schedule.h"

#include <string>
#include <vector>

#include "dovetail/backends/interpreter/testing/compile.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Which layer's first output a slot holds.
std::string LayerAt(const Schedule& schedule, int slot) {
  for (const Schedule::Step& step : schedule.steps) {
    if (step.first_output == slot) return step.node->name();
  }
  return "";
}

std::vector<std::string> FreedBy(const Schedule& schedule, size_t step) {
  std::vector<std::string> names;
  for (int slot : schedule.steps[step].frees) {
    names.push_back(LayerAt(schedule, slot));
  }
  return names;
}

TEST(ScheduleTest, TensorsAreFreedByTheirLastReader) {
  const auto model = ParseModel(R"(
    %x = Parameter-0() {shape: [2], element_type: f32}
    %a = Relu-0(%x) {}  # a
    %b = Sin-0(%a) {}  # b
    %c = Add-1(%a, %b) {}  # c
    %d = Add-1(%c, %c) {}  # d
    %out = Result-0(%d) {}
    %early = Result-0(%b) {}
  )");
  const auto schedule = MakeSchedule(*model);
  ASSERT_TRUE(schedule.ok()) << schedule.status();
  ASSERT_EQ(schedule->steps.size(), 4u);
  EXPECT_THAT(FreedBy(*schedule, 0), IsEmpty());
  EXPECT_THAT(FreedBy(*schedule, 1), IsEmpty());
  EXPECT_THAT(FreedBy(*schedule, 2), ElementsAre("a"));  // b is a result
  EXPECT_THAT(FreedBy(*schedule, 3), ElementsAre("c"));
  EXPECT_THAT(schedule->steps[1].results, ElementsAre(1));
  EXPECT_THAT(schedule->steps[3].results, ElementsAre(0));
}

TEST(ScheduleTest, OutputsThatNobodyReadsAreFreedAtOnce) {
  const auto model = ParseModel(R"(
    %x = Parameter-0() {shape: [4], element_type: f32}
    %k = Constant-0() {value: i64[] {2}}
    %top = TopK-11(%x, %k) {axis: 0}  # top
    %dead = Relu-0(%x) {}  # dead
    %keep = Assign-6(%x) {variable_id: "v"}  # keep
    %out = Result-0(%top:1) {}
  )");
  const auto schedule = MakeSchedule(*model);
  ASSERT_TRUE(schedule.ok()) << schedule.status();
  ASSERT_EQ(schedule->steps.size(), 2u);  // without "dead"
  EXPECT_THAT(FreedBy(*schedule, 0), ElementsAre("top"));
  EXPECT_THAT(schedule->steps[0].results, ElementsAre(-1, 0));
  EXPECT_THAT(FreedBy(*schedule, 1), ElementsAre("keep"));
  EXPECT_EQ(schedule->constants.size(), 1u);
}

}  // namespace
}  // namespace dovetail
