#include <string>
#include <utility>
#include <vector>

#include "dovetail/backends/vpu/contention/closed_loop.h"
#include "dovetail/backends/vpu/contention/ddr_shares.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail::vpu {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(DdrSharesTest, WhoWantsDdrWaitsForOthersWhoDo) {
  EXPECT_THAT(SpeedsUnderSharing({1}, 1), ElementsAre(1));
  EXPECT_THAT(SpeedsUnderSharing({1, 1}, 1), ElementsAre(0.5, 0.5));
  EXPECT_THAT(SpeedsUnderSharing({1, 0}, 1), ElementsAre(1, 1));
  EXPECT_THAT(SpeedsUnderSharing({1, 0.25}, 1), ElementsAre(0.8, 0.8));
  EXPECT_THAT(
      SpeedsUnderSharing({0.5, 0.5, 0.5}, 1),
      ElementsAre(DoubleNear(1 / 1.5, 1e-12), DoubleNear(1 / 1.5, 1e-12),
                  DoubleNear(1 / 1.5, 1e-12)));
  EXPECT_TRUE(SpeedsUnderSharing({}, 1).empty());
}

TEST(DdrSharesTest, NobodyGetsMoreThanThereIs) {
  for (const double streams : {1.0, 1.06, 3.0}) {
    for (const double demand : {0.1, 0.5, 0.7, 1.0}) {
      double busy = 0;
      for (const double speed :
           SpeedsUnderSharing(std::vector<double>(3, demand), streams)) {
        EXPECT_GT(speed, 0);
        EXPECT_LE(speed, 1);
        busy += speed * demand;
      }
      EXPECT_LE(busy, streams + 1e-12);
    }
  }
}

// One layer of these stages; 1 cycle is 1 us, and host and link take nothing.
struct Simple {
  int64_t cycles, ddr_cycles;
};
Program ProgramOf(const std::vector<Simple>& simple, int64_t host_bytes = 0,
                  double host_us = 0) {
  Machine machine = *DefaultMachine();
  machine.clock_mhz = 1;
  machine.ddr_streams = 1;
  machine.host_us = host_us;
  machine.link_byte_ns = 1000;  // 1 us a byte
  Layer layer;
  layer.name = "layer";
  layer.kind = LayerKind::kInput;
  layer.host_bytes = host_bytes;
  Stages stages;
  for (const Simple& one : simple) {
    Stage stage;
    stage.cycles = one.cycles;
    stage.ddr_cycles = one.ddr_cycles;
    stages.push_back(stage);
  }
  auto program = Program::Of(machine, {layer}, {std::move(stages), {}});
  EXPECT_TRUE(program.ok()) << program.status();
  return *std::move(program);
}

LoopTimes Times(const Program& program, int requests) {
  const auto times = RunClosedLoop(program, requests);
  EXPECT_TRUE(times.ok()) << times.status();
  return times.ok() ? *times : LoopTimes();
}

TEST(ClosedLoopTest, OneRequestTakesHostLinkAndStages) {
  const Program program = ProgramOf({{100, 50}, {20, 0}}, 30, 7);
  const LoopTimes times = Times(program, 1);
  EXPECT_DOUBLE_EQ(times.latency, 100 + 20 + 30 + 7);
  EXPECT_DOUBLE_EQ(times.device, 120);
  EXPECT_DOUBLE_EQ(times.device, program.microseconds());
  EXPECT_DOUBLE_EQ(times.host, 37);
  EXPECT_DOUBLE_EQ(times.wait, 0);
  EXPECT_NEAR(times.ddr_busy, 50.0 / 157, 1e-9);
  EXPECT_THAT(times.stages,
              ElementsAre(DoubleNear(100, 1e-6), DoubleNear(20, 1e-6)));
}

TEST(ClosedLoopTest, RoundsAreWithoutGaps) {
  const LoopTimes times = Times(ProgramOf({{100, 50}, {20, 0}}, 30, 7), 3);
  ASSERT_EQ(times.rounds.size(), 3u);
  for (const LoopRound& round : times.rounds) {
    // send, wait, 2 stages, receive, host; both ways wait for the link
    ASSERT_EQ(round.spans.size(), 8u);
    for (size_t i = 1; i < round.spans.size(); ++i) {
      EXPECT_EQ(round.spans[i].begin, round.spans[i - 1].end);
    }
    EXPECT_EQ(round.spans[4].what, LoopSpan::What::kStage);
    EXPECT_EQ(round.spans[4].stage, 1u);
    EXPECT_LT(round.executor, 2);
  }
}

TEST(ClosedLoopTest, ExecutorsRunBesideEachOther) {
  const LoopTimes times = Times(ProgramOf({{100, 0}}), 2);
  EXPECT_NEAR(times.latency, 100, 1e-6);
  EXPECT_NEAR(times.per_second(), 2e4, 1e-3);
}

TEST(ClosedLoopTest, WhatIsDdrsWhollyTakesTwiceAsLongForTwo) {
  const LoopTimes times = Times(ProgramOf({{100, 100}}), 2);
  EXPECT_NEAR(times.latency, 200, 1e-6);
  EXPECT_NEAR(times.ddr_busy, 1, 1e-6);
  // Half of the time that one takes, the other one is in its way.
  EXPECT_NEAR(Times(ProgramOf({{100, 50}}), 2).latency, 125, 1e-6);
}

TEST(ClosedLoopTest, MoreRequestsThanExecutorsWait) {
  const LoopTimes times = Times(ProgramOf({{100, 0}}), 6);
  EXPECT_NEAR(times.latency, 300, 1e-6);
  EXPECT_NEAR(times.wait, 200, 1e-6);
  EXPECT_NEAR(times.device, 100, 1e-6);
}

TEST(ClosedLoopTest, TheLinkServesOneAtATime) {
  const LoopTimes times = Times(ProgramOf({{10, 0}}, 100), 4);
  // Outputs wait behind the inputs of others, now more and now less of them.
  EXPECT_NEAR(times.latency, 400, 4);
  EXPECT_NEAR(times.device, 10, 1e-6);
}

TEST(ClosedLoopTest, EachRunIsTheSame) {
  const Program program = ProgramOf({{100, 60}, {35, 35}, {7, 0}}, 11, 3);
  const LoopTimes once = Times(program, 3);
  for (int i = 0; i < 5; ++i) {
    const LoopTimes again = Times(program, 3);
    EXPECT_EQ(again.latency, once.latency);
    EXPECT_EQ(again.stages, once.stages);
  }
}

// Whoever comes later has the processor for itself in the end.
TEST(ClosedLoopTest, TheLastInferenceEndsAlone) {
  const Program program = ProgramOf({{100, 100}, {100, 100}}, 50);
  const auto run = RunInferences(program, 2, 2);
  ASSERT_TRUE(run.ok()) << run.status();
  // The other one has sent its input 50 earlier, and is alone until this one
  // begins; then both wait for each other until it ends.
  EXPECT_THAT(run->stages,
              ElementsAre(DoubleNear(200, 1e-6), DoubleNear(150, 1e-6)));
  EXPECT_EQ(run->rounds.size(), 2u);
  EXPECT_NEAR(Times(program, 2).stages[1], run->stages[1], 60);
  const auto one = RunInferences(program, 1, 3);
  ASSERT_TRUE(one.ok());
  EXPECT_THAT(one->stages,
              ElementsAre(DoubleNear(100, 1e-6), DoubleNear(100, 1e-6)));
  EXPECT_THAT(RunInferences(program, 2, 1).status().message(),
              HasSubstr("1 inferences of 2 requests"));
}

TEST(ClosedLoopTest, WhatCannotRunIsRefused) {
  EXPECT_THAT(RunClosedLoop(ProgramOf({{1, 1}}), 0).status().message(),
              HasSubstr("0 requests: want 1 to 64"));
  EXPECT_FALSE(RunClosedLoop(ProgramOf({{1, 1}}), 65).ok());
  EXPECT_THAT(RunClosedLoop(ProgramOf({}), 1).status().message(),
              HasSubstr("no stages"));
  EXPECT_TRUE(RunClosedLoop(ProgramOf({{0, 0}}), 2).ok());
}

}  // namespace
}  // namespace dovetail::vpu
