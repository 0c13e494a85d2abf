#include "dovetail/backends/vpu/schedule/compile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace dovetail::vpu {
namespace {

using ::testing::HasSubstr;

Layer ConvolutionLayer(int64_t in, int64_t out, int64_t extent) {
  Layer layer;
  layer.name = "conv";
  layer.kind = LayerKind::kConvolution;
  layer.shape = {in, out, extent, extent, extent, extent, 1, 1, 1};
  layer.elements = out * extent * extent;
  layer.macs = in * layer.elements;
  return layer;
}

Stages StagesOf(const Network& network) {
  const auto compiled = Compile(*DefaultMachine(), network);
  EXPECT_TRUE(compiled.ok()) << compiled.status();
  return compiled.ok() ? compiled->stages : Stages();
}

TEST(CompileTest, StagesHoldAllProducts) {
  for (const int64_t extent : {7, 17, 28, 56, 150}) {
    for (const int64_t in : {3, 64, 1024, 2048}) {
      const Layer layer = ConvolutionLayer(in, 200, extent);
      int64_t macs = 0, cycles = 0;
      const Stages stages = StagesOf({layer});
      for (const Stage& stage : stages) {
        macs += stage.macs;
        cycles += stage.cycles;
        EXPECT_FALSE(stage.reason.empty()) << stage.name;
        EXPECT_FALSE(stage.bound.empty()) << stage.name;
      }
      EXPECT_EQ(macs, layer.macs) << in << " " << extent;
      EXPECT_EQ(cycles, TotalCycles(stages));
    }
  }
}

TEST(CompileTest, InputOfDdrIsReadByEveryDescriptor) {
  Layer producer = ConvolutionLayer(8, 1024, 28);  // beyond CMX
  Layer reader = ConvolutionLayer(1024, 128, 28);
  reader.inputs = {0};
  int64_t input_cycles = 0;
  for (const Stage& stage : StagesOf({producer, reader})) {
    if (stage.layer != 1 || stage.lane != Lane::kNce) continue;
    input_cycles += stage.input_cycles;
    EXPECT_THAT(stage.reason, HasSubstr("input in DDR"));
  }
  EXPECT_GT(input_cycles, 0);
}

// 2048 channels of 14 columns: the line buffer holds the two rows of a tile,
// of the four that it takes to read some while others are computed.
TEST(CompileTest, WhatFillsTheLineBufferIsReadBeforeItIsComputed) {
  Layer producer = ConvolutionLayer(8, 2048, 14);
  Layer reader = ConvolutionLayer(2048, 512, 14);
  reader.inputs = {0};
  const Machine machine = *DefaultMachine();
  int tiles = 0;
  for (const Stage& stage : StagesOf({producer, reader})) {
    if (stage.layer != 1 || stage.lane != Lane::kNce) continue;
    ++tiles;
    EXPECT_THAT(stage.reason, HasSubstr("input in DDR"));
    EXPECT_THAT(stage.reason, HasSubstr("16 descriptors of 256 steps"));
    const double weights = 16 * 256 * machine.step_weight_cycles;
    EXPECT_GT(static_cast<double>(stage.cycles),
              static_cast<double>(stage.input_cycles + stage.compute_cycles) -
                  weights);
    EXPECT_GT(stage.ddr_cycles, stage.input_cycles);
  }
  EXPECT_EQ(tiles, 7);
}

TEST(CompileTest, SumsFollowTilesOfInputChannels) {
  Layer layer = ConvolutionLayer(512, 512, 7);
  layer.shape.kernel_x = layer.shape.kernel_y = 3;
  const Stages stages = StagesOf({layer});
  ASSERT_EQ(stages.size(), 3u);  // the coefficients of 512 inputs do not fit
  EXPECT_EQ(stages[2].lane, Lane::kShave);
  EXPECT_THAT(stages[2].name, HasSubstr("@accum"));
  layer.activation = 1;
  EXPECT_THAT(StagesOf({layer}).back().name, HasSubstr("@ReLU"));
}

TEST(CompileTest, TilesOfAnOutputAreCopied) {
  const Stages stages = StagesOf({ConvolutionLayer(64, 256, 56)});
  int64_t bytes = 0;
  for (const Stage& stage : stages) bytes += stage.bytes;
  EXPECT_EQ(bytes, 56 * 56 * 256 * 2);
}

TEST(CompileTest, RepeatsAreCounted) {
  Layer layer = ConvolutionLayer(64, 64, 14);
  const int64_t once = StagesOf({layer}).front().cycles;
  layer.repeats = 5;
  EXPECT_EQ(StagesOf({layer}).front().cycles, 5 * once);
}

TEST(CompileTest, ManyOutputChannelsAreSeveralConvolutions) {
  const Stages stages = StagesOf({ConvolutionLayer(64, 4096, 1)});
  ASSERT_EQ(stages.size(), 3u);  // the last flushes the output
  EXPECT_THAT(stages[1].name, HasSubstr("@sok=2048"));
}

TEST(CompileTest, WrongNetworksAreRefused) {
  Layer layer = ConvolutionLayer(8, 8, 8);
  layer.inputs = {0};
  EXPECT_THAT(Compile(*DefaultMachine(), {layer}).status().message(),
              HasSubstr("does not come before"));
  layer = ConvolutionLayer(8, 0, 8);
  EXPECT_THAT(Compile(*DefaultMachine(), {layer}).status().message(),
              HasSubstr("at least 1"));
}

// Three layers, one of which reads from DDR and needs tiles.
int64_t CyclesWith(absl::string_view key, absl::string_view value) {
  Machine machine = *DefaultMachine();
  EXPECT_TRUE(SetMachineValue(key, value, machine).ok());
  Layer reader = ConvolutionLayer(64, 256, 112);
  reader.inputs = {0};
  const Network network = {ConvolutionLayer(64, 64, 112), reader,
                           ConvolutionLayer(2048, 512, 7)};
  const auto compiled = Compile(machine, network);
  EXPECT_TRUE(compiled.ok()) << compiled.status();
  return compiled.ok() ? TotalCycles(compiled->stages) : 0;
}

TEST(CompileTest, WhatTakesLongerInTheMachineTakesLongerInAll) {
  for (const char* const key :
       {"step_cycles_per_pixel", "burst_byte_ns", "hw_stage_cycles"}) {
    int64_t last = 0;
    for (const char* const value : {"0.1", "0.5", "2", "8", "3000"}) {
      const int64_t cycles = CyclesWith(key, value);
      EXPECT_GT(cycles, last) << key << " = " << value;
      last = cycles;
    }
  }
}

}  // namespace
}  // namespace dovetail::vpu
