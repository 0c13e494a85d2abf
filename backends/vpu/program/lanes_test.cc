#include "dovetail/backends/vpu/program/lanes.h"

#include "gtest/gtest.h"

namespace dovetail::vpu {
namespace {

Stage StageOf(Lane lane, int64_t shaves = 0) {
  Stage stage;
  stage.lane = lane;
  stage.shaves = shaves;
  return stage;
}

// Two executors have 9 slices each, of which 0 to 6 and 9 to 15 have a SHAVE.
TEST(LanesTest, EachExecutorHasItsOwnUnits) {
  const Machine machine = *DefaultMachine();
  EXPECT_EQ(LanesOf(machine, StageOf(Lane::kNce), 0), "NCE 0");
  EXPECT_EQ(LanesOf(machine, StageOf(Lane::kNce), 1), "NCE 1");
  EXPECT_EQ(LanesOf(machine, StageOf(Lane::kShave, 2), 0), "SHAVE 0, SHAVE 1");
  EXPECT_EQ(LanesOf(machine, StageOf(Lane::kShave, 7), 1),
            "SHAVE 9, SHAVE 10, SHAVE 11, SHAVE 12, SHAVE 13, SHAVE 14, "
            "SHAVE 15");
  EXPECT_EQ(LanesOf(machine, StageOf(Lane::kDma), 0), "DMA");
  EXPECT_EQ(LanesOf(machine, StageOf(Lane::kDma), 1), "DMA");
}

TEST(LanesTest, ExecutorsShareNoShave) {
  Machine machine = *DefaultMachine();
  machine.cmx_slices = 2;
  EXPECT_EQ(LanesOf(machine, StageOf(Lane::kShave, 1), 1), "SHAVE 7");
}

}  // namespace
}  // namespace dovetail::vpu
