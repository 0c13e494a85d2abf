#include "dovetail/backends/vpu/compiler/custom_stages.h"

#include <cmath>

#include "dovetail/backends/vpu/machine/machine.h"
#include "gtest/gtest.h"

namespace dovetail::vpu {
namespace {

Stage StageOf(const CustomWork& work) {
  Stages stages;
  AddCustomStages(DefaultMachine().value(), 0, "layer", "custom kernel k.xml:1",
                  {work}, stages);
  EXPECT_EQ(stages.size(), 1u);
  return stages[0];
}

const int64_t kFixed =
    static_cast<int64_t>(DefaultMachine().value().unary_stage_cycles);

TEST(CustomStagesTest, GroupsAreDealtToShaves) {
  // 8 groups on 7 SHAVEs: one has two.
  CustomWork work{"f", 0, std::vector<GroupWork>(8, GroupWork{50000, 0, 0, 0})};
  EXPECT_EQ(StageOf(work).cycles, kFixed + 100000);
  EXPECT_EQ(StageOf(work).reason,
            "custom kernel k.xml:1; 8 groups on 7 SHAVEs");
  work.max_shaves = 1;
  EXPECT_EQ(StageOf(work).cycles, kFixed + 400000);
  EXPECT_EQ(StageOf(work).bound, "compute");
  // A group goes to the SHAVE that is free first.
  work.max_shaves = 2;
  work.groups = {
      {90000, 0, 0, 0}, {10000, 0, 0, 0}, {10000, 0, 0, 0}, {10000, 0, 0, 0}};
  EXPECT_EQ(StageOf(work).cycles, kFixed + 90000);
}

// A piece of 1 MB.
int64_t TransferCycles() {
  const Machine machine = DefaultMachine().value();
  return std::llround(machine.cycles_of_ns(
      machine.burst_ns + machine.burst_byte_ns * (1 << 20)));
}

TEST(CustomStagesTest, TransfersGoOneBehindAnother) {
  CustomWork work{"f", 0, {{0, 1 << 20, 0, 1}}};
  const Stage one = StageOf(work);
  EXPECT_EQ(one.cycles, kFixed + TransferCycles());
  EXPECT_EQ(one.bytes, 1 << 20);
  EXPECT_EQ(one.bound, "input");
  EXPECT_EQ(one.ddr_cycles, one.input_cycles);
  work.groups.assign(4, {0, 0, 1 << 20, 1});
  const Stage four = StageOf(work);
  EXPECT_NEAR(four.cycles, kFixed + 4 * TransferCycles(), 4);
  EXPECT_EQ(four.bound, "output");
  EXPECT_EQ(four.bytes, 4 << 20);
}

TEST(CustomStagesTest, AGroupWaitsForItsTransfers) {
  CustomWork work{"f", 1, {{100000, 1 << 20, 0, 1}, {100000, 0, 1 << 20, 1}}};
  EXPECT_NEAR(StageOf(work).cycles, kFixed + 200000 + 2 * TransferCycles(), 2);
}

}  // namespace
}  // namespace dovetail::vpu
