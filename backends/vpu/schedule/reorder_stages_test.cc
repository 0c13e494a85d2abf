// The order of stages, and what it lets run beside engines.
#include "dovetail/backends/vpu/schedule/reorder_stages.h"

#include <algorithm>
#include <string>
#include <vector>

#include "dovetail/backends/vpu/schedule/adjust_location.h"
#include "dovetail/backends/vpu/schedule/cmx_plan.h"
#include "dovetail/backends/vpu/schedule/graph/build_graph.h"
#include "dovetail/backends/vpu/schedule/inject_work.h"
#include "dovetail/backends/vpu/testing/small_networks.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail::vpu {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Not;

StageGraph Ordered(const Network& network) {
  const Machine machine = *DefaultMachine();
  StageGraph graph = BuildGraph(machine, network);
  ReorderStages(machine, graph);
  return graph;
}

int PlaceOf(const StageGraph& graph, const std::string& name) {
  const std::vector<std::string> names = OrderOf(graph);
  const auto found = std::find(names.begin(), names.end(), name);
  EXPECT_NE(found, names.end()) << "no work " << name;
  return static_cast<int>(found - names.begin());
}

// Two branches of two convolutions each, and their concatenation.
Network Branches() {
  Network network = BeginNetwork(16, 32);
  for (const int branch : {0, 1}) {
    const std::string name = branch == 0 ? "a" : "b";
    network.push_back(
        LayerOf(LayerKind::kConvolution, name + "1", Square(16, 16, 32), {1}));
    network.push_back(LayerOf(LayerKind::kConvolution, name + "2",
                              Square(16, 32, 32), {2 + 2 * branch}));
  }
  network.push_back(
      LayerOf(LayerKind::kConcat, "both", Square(64, 64, 32), {3, 5}));
  return network;
}

TEST(ReorderStagesTest, ACopyRunsBehindItsWriterNotBehindAllBranches) {
  Network network = Branches();
  network.push_back(
      LayerOf(LayerKind::kConvolution, "reader", Square(64, 16, 32), {6}));
  EXPECT_THAT(OrderOf(Ordered(network)),
              ElementsAre("input", "first", "a1", "a2", "both@copy-for-concat",
                          "b1", "b2", "both@copy-for-concat", "reader",
                          "reader@flush-output"));
}

TEST(ReorderStagesTest, WhatWritesDdrComesBeforeWhatWritesCmx) {
  Network network = BeginNetwork(16, 32);
  network.push_back(
      LayerOf(LayerKind::kConvolution, "engine", Square(16, 16, 32), {1}));
  network.push_back(LayerOf(LayerKind::kUnary, "erf", Square(16, 16, 32), {1}));
  network.push_back(
      LayerOf(LayerKind::kBinary, "sum", Square(16, 16, 32), {2, 3}));
  EXPECT_THAT(OrderOf(Ordered(network)),
              ElementsAre("input", "first", "erf", "engine", "sum"));
}

TEST(ReorderStagesTest, WhatReadsAPartComesBeforeWhatReadsAll) {
  Network network = BeginNetwork(128, 28);
  network.push_back(
      LayerOf(LayerKind::kConvolution, "whole", Square(128, 16, 28), {1}));
  network.push_back(
      LayerOf(LayerKind::kConvolution, "cut", Square(128, 512, 28), {1}));
  const StageGraph graph = Ordered(network);
  EXPECT_LT(PlaceOf(graph, "cut@soh=2/2@copy"), PlaceOf(graph, "whole"));
}

TEST(ReorderStagesTest, AMaxPoolChangesPlacesWithAConcatenation) {
  Network network = Branches();
  Layer pool = LayerOf(LayerKind::kPool, "MaxPool",
                       {64, 64, 32, 32, 16, 16, 2, 2, 2, 0, 0}, {6});
  network.push_back(pool);
  const StageGraph graph = Ordered(network);
  EXPECT_LT(PlaceOf(graph, "MaxPool@sub=1/2"), PlaceOf(graph, "b1"));
  EXPECT_EQ(FindWork(graph, "MaxPool@sub=2/2").tile.in_channels, 32);
  // Copied is what was pooled.
  EXPECT_EQ(FindWork(graph, "both@copy-for-concat").rows, 16);

  network.back().type = "AvgPool";
  EXPECT_THAT(OrderOf(Ordered(network)), Not(Contains("MaxPool@sub=1/2")));
  network.back() = pool;
  network.push_back(
      LayerOf(LayerKind::kUnary, "other reader", Square(64, 64, 32), {6}));
  EXPECT_THAT(OrderOf(Ordered(network)), Not(Contains("MaxPool@sub=1/2")));
}

TEST(BuildGraphTest, ARowOf16TapsIsTwoOf8) {
  Network network = BeginNetwork(16, 64);
  Layer layer = LayerOf(LayerKind::kConvolution, "row",
                        {16, 32, 64, 64, 49, 64, 16, 1, 1, 0, 0}, {1});
  layer.activation = 1;
  network.push_back(layer);
  const StageGraph graph = Ordered(network);
  for (const char* const name : {"row@subkernel=1/2", "row@subkernel=2/2"}) {
    EXPECT_EQ(FindWork(graph, name).tile.kernel_x, 8);
    EXPECT_EQ(FindWork(graph, name).tile.in_width, 56);
    EXPECT_EQ(FindWork(graph, name).tile.out_width, 49);
  }
  EXPECT_EQ(FindWork(graph, "row@sum").inputs.size(), 2u);
  EXPECT_LT(PlaceOf(graph, "row@sum"), PlaceOf(graph, "row@ReLU"));
  network.back().shape.kernel_x = 15;
  network.back().shape.out_width = 50;
  EXPECT_THAT(OrderOf(Ordered(network)), Not(Contains("row@sum")));
}

StageGraph Injected(const Network& network) {
  const Machine machine = *DefaultMachine();
  StageGraph graph = Ordered(network);
  SpillToDdr(machine, graph);
  InjectWork(machine, graph);
  EXPECT_TRUE(PlanCmx(machine, graph).fits());
  return graph;
}

TEST(ReorderStagesTest, NothingMovesUpBeforeAnInputIsCut) {
  Network network = BeginNetwork(128, 28);
  network.push_back(
      LayerOf(LayerKind::kConvolution, "left", Square(128, 32, 28), {1}));
  network.push_back(
      LayerOf(LayerKind::kConvolution, "right", Square(128, 32, 28), {1}));
  network.push_back(
      LayerOf(LayerKind::kConcat, "both", Square(64, 64, 28), {2, 3}));
  network.push_back(LayerOf(LayerKind::kUnary, "erf", Square(64, 64, 28), {4}));
  const StageGraph whole = Injected(network);
  const Work& right = FindWork(whole, "right");
  ASSERT_NE(right.injected, kNone);
  EXPECT_EQ(whole.work[right.injected].name, "both@copy-for-concat");

  network[3].shape.out_channels = 512;  // two tiles
  network[4].shape.in_channels = network[4].shape.out_channels = 544;
  const StageGraph cut = Injected(network);
  const int first = FindWork(cut, "right@soh=1/2").injected;
  EXPECT_TRUE(first == kNone || cut.work[first].layer != 4);
}

}  // namespace
}  // namespace dovetail::vpu
