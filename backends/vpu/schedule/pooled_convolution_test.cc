// Convolutions and the pools behind them.
#include <string>
#include <vector>

#include "dovetail/backends/vpu/schedule/compile.h"
#include "dovetail/backends/vpu/schedule/graph/build_graph.h"
#include "dovetail/backends/vpu/testing/small_networks.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail::vpu {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

Layer MaxPool(int64_t channels, int64_t extent, int64_t kernel) {
  return LayerOf(LayerKind::kPool, "MaxPool",
                 {channels, channels, extent, extent, extent / 2, extent / 2,
                  kernel, kernel, 2, 0, 0},
                 {2});
}

// A convolution by 3x3, a pool, and who reads it.
Network WithPool(int64_t in, int64_t out, int64_t extent, int64_t kernel) {
  Network network = BeginNetwork(in, extent);
  network.push_back(
      LayerOf(LayerKind::kConvolution, "conv", Square(in, out, extent, 3), {1}));
  network.push_back(MaxPool(out, extent, kernel));
  network.push_back(LayerOf(LayerKind::kConvolution, "reader",
                            Square(out, 8, extent / 2), {3}));
  return network;
}

StageGraph GraphOf(const Network& network,
                   const Machine& machine = *DefaultMachine()) {
  return BuildGraph(machine, network);
}

TEST(PooledConvolutionTest, APoolOf2x2IsOneStageWithTheConvolution) {
  const Network network = WithPool(32, 64, 56, 2);
  const StageGraph graph = GraphOf(network);
  EXPECT_THAT(OrderOf(graph), ElementsAre("input", "first", "conv", "reader",
                                          "reader@flush-output"));
  const Work& conv = FindWork(graph, "conv");
  EXPECT_EQ(conv.tile.out_width, 28);
  EXPECT_EQ(conv.macs, 56 * 56 * 64 * 32 * 9);
  EXPECT_THAT(conv.reason, HasSubstr("with the pool behind it"));
  EXPECT_EQ(FindWork(graph, "reader").inputs.front(), conv.output);
  EXPECT_EQ(graph.buffers[conv.output].bytes, 64 * 28 * 64);
}

// As lowered models have activations: names of what a convolution writes, by
// which others may read it or not.
TEST(PooledConvolutionTest, ActivationsAreNames) {
  Network network = WithPool(32, 64, 56, 2);
  network.insert(network.begin() + 3, LayerOf(LayerKind::kView, "relu",
                                              Square(64, 64, 56), {2}));
  network[5].inputs = {4};
  for (const int read : {2, 3}) {
    network[4].inputs = {read};
    EXPECT_THAT(OrderOf(GraphOf(network)),
                ElementsAre("input", "first", "conv", "reader",
                            "reader@flush-output"));
  }
  network[2].shape = Square(32, 192, 56, 1);
  for (const int i : {3, 4}) {
    network[i].shape.in_channels = network[i].shape.out_channels = 192;
  }
  EXPECT_THAT(OrderOf(GraphOf(network)), Contains("MaxPool@sub=2/3"));
}

TEST(PooledConvolutionTest, TheStageComputesAllPixels) {
  const auto stage = [](const Network& network, const Machine& machine) {
    const auto compiled = Compile(machine, network);
    EXPECT_TRUE(compiled.ok()) << compiled.status();
    for (const Stage& one : compiled->stages) {
      if (one.name == "conv") return one;
    }
    return Stage();
  };
  Machine apart = *DefaultMachine();
  apart.merge_pools = 0;
  const Network network = WithPool(32, 64, 56, 2);
  const Stage one = stage(network, *DefaultMachine());
  EXPECT_EQ(one.compute_cycles, stage(network, apart).compute_cycles);
  EXPECT_LT(one.output_cycles, stage(network, apart).output_cycles);
  EXPECT_THAT(OrderOf(GraphOf(network, apart)), Contains("MaxPool"));
}

TEST(PooledConvolutionTest, OtherPoolsAreStagesOfTheirOwn) {
  Network network = WithPool(32, 64, 28, 3);
  EXPECT_THAT(OrderOf(GraphOf(network)), Contains("MaxPool"));
  network = WithPool(32, 64, 56, 2);
  network[3].type = "AvgPool";
  EXPECT_THAT(OrderOf(GraphOf(network)), Contains("MaxPool"));
  network = WithPool(32, 64, 56, 2);
  network[2].shape = Square(32, 64, 56, 1);
  EXPECT_THAT(OrderOf(GraphOf(network)), Contains("MaxPool"));
  network = WithPool(64, 64, 148, 2);  // more than 144 pixels a row
  EXPECT_THAT(OrderOf(GraphOf(network)), Not(Contains("conv")));
  EXPECT_THAT(OrderOf(GraphOf(network)), Contains(HasSubstr("MaxPool")));
}

TEST(PooledConvolutionTest, AnotherReaderNeedsTheConvolutionsOutput) {
  Network network = WithPool(32, 64, 56, 2);
  network.push_back(LayerOf(LayerKind::kUnary, "erf", Square(64, 64, 56), {2}));
  const StageGraph graph = GraphOf(network);
  EXPECT_THAT(OrderOf(graph), Contains("MaxPool"));
  EXPECT_EQ(FindWork(graph, "erf").inputs.front(),
            FindWork(graph, "conv").output);
}

// 192 channels of 56 rows of 112 bytes are twice what a tile's output may take.
TEST(PooledConvolutionTest, OutputsBeyondCmxAreCutIntoPartsWithTheirPools) {
  Network network = WithPool(64, 192, 56, 2);
  network[2].shape = Square(64, 192, 56, 1);
  const StageGraph graph = GraphOf(network);
  for (const std::string part : {"1/3", "2/3", "3/3"}) {
    const Work& conv = FindWork(graph, "conv@tile=" + part);
    EXPECT_EQ(conv.tile.out_channels, 64);
    EXPECT_EQ(graph.buffers[conv.output].place, Place::kCmx);
    const Work& pool = FindWork(graph, "MaxPool@sub=" + part);
    EXPECT_EQ(pool.inputs, std::vector<int>{conv.output});
    EXPECT_EQ(pool.layer, 3);
  }
  // 256 rows of 64 channels do not fit, nor do 32.
  EXPECT_THAT(OrderOf(GraphOf(WithPool(3, 64, 256, 3))),
              Not(Contains(HasSubstr("@tile="))));
}

}  // namespace
}  // namespace dovetail::vpu
