// The rules of memory and of what runs beside engines, each by the reason that
// stages and buffers have for it.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "dovetail/backends/vpu/schedule/adjust_location.h"
#include "dovetail/backends/vpu/schedule/cmx_plan.h"
#include "dovetail/backends/vpu/schedule/compile.h"
#include "dovetail/backends/vpu/schedule/graph/build_graph.h"
#include "dovetail/backends/vpu/schedule/graph_text.h"
#include "dovetail/backends/vpu/schedule/inject_work.h"
#include "dovetail/backends/vpu/schedule/reorder_stages.h"
#include "dovetail/backends/vpu/testing/small_networks.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail::vpu {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

struct Passed {
  StageGraph built, spilled, packed, spared, injected;
};

Passed RunPasses(const Network& network,
                 const Machine& machine = *DefaultMachine()) {
  Passed passed;
  StageGraph graph = passed.built = BuildGraph(machine, network);
  ReorderStages(machine, graph);
  SpillToDdr(machine, graph);
  passed.spilled = graph;
  PackIntoCmx(machine, graph);
  passed.packed = graph;
  EliminateCopies(machine, graph);
  passed.spared = graph;
  InjectWork(machine, graph);
  passed.injected = graph;
  for (const StageGraph* one :
       {&passed.spilled, &passed.packed, &passed.spared, &passed.injected}) {
    EXPECT_TRUE(PlanCmx(machine, *one).fits());
  }
  return passed;
}

const Buffer& OutputOf(const StageGraph& graph, absl::string_view name) {
  return graph.buffers[graph.Root(FindWork(graph, name).output)];
}

Stages StagesOf(const Network& network) {
  const auto compiled = Compile(*DefaultMachine(), network);
  EXPECT_TRUE(compiled.ok()) << compiled.status();
  return compiled.ok() ? compiled->stages : Stages();
}

const Stage& StageOf(const Stages& stages, absl::string_view name) {
  for (const Stage& stage : stages) {
    if (stage.name == name) return stage;
  }
  ADD_FAILURE() << "no stage " << name;
  return stages.front();
}

TEST(ScheduleTest, EnginesWriteToCmxOthersToDdr) {
  Network network = BeginNetwork(16, 8);
  network.push_back(LayerOf(LayerKind::kUnary, "erf", Square(16, 16, 8), {1}));
  network.push_back(LayerOf(LayerKind::kUnary, "erf2", Square(16, 16, 8), {2}));
  const StageGraph graph = RunPasses(network).injected;
  EXPECT_EQ(OutputOf(graph, "first").place, Place::kCmx);
  EXPECT_EQ(OutputOf(graph, "erf").place, Place::kDdr);
}

TEST(ScheduleTest, AnEnginesOutputLeavesByACopy) {
  const StageGraph graph = RunPasses(BeginNetwork(16, 8)).injected;
  EXPECT_THAT(OrderOf(graph), Contains("first@flush-output"));
  EXPECT_THAT(OutputOf(graph, "first@flush-output").reason,
              HasSubstr("output of the network"));
}

TEST(ScheduleTest, InputsOfEnginesArePackedIntoCmxWhereTheyFit) {
  Network network = BeginNetwork(64, 28);
  network.push_back(LayerOf(LayerKind::kUnary, "erf", Square(64, 64, 28), {1}));
  network.push_back(
      LayerOf(LayerKind::kConvolution, "second", Square(64, 64, 28), {2}));
  const Passed passed = RunPasses(network);
  EXPECT_EQ(OutputOf(passed.spilled, "erf").place, Place::kDdr);
  EXPECT_EQ(OutputOf(passed.packed, "erf").place, Place::kCmx);

  for (Layer& layer : network) {
    layer.shape.in_height *= 8;
    layer.shape.out_height *= 8;
  }
  const Passed large = RunPasses(network);
  EXPECT_EQ(OutputOf(large.packed, "erf").place, Place::kDdr);
  EXPECT_THAT(OutputOf(large.packed, "erf").reason,
              HasSubstr("no room in CMX"));
}

// Two outputs of 7 slices together leave a sum two SHAVEs, three outputs none.
TEST(ScheduleTest, WhatHasNoRoomIsSpilledWithTheReason) {
  Network network = BeginNetwork(64, 64);  // 524288 bytes each
  network.push_back(
      LayerOf(LayerKind::kConvolution, "second", Square(64, 64, 64), {1}));
  network.push_back(
      LayerOf(LayerKind::kConvolution, "third", Square(64, 64, 64), {2}));
  network.push_back(
      LayerOf(LayerKind::kConvolution, "fourth", Square(64, 64, 64), {1}));
  network.push_back(
      LayerOf(LayerKind::kBinary, "sum", Square(64, 64, 64), {3, 4}));
  const StageGraph graph = RunPasses(network).spilled;
  const Work& copy = FindWork(graph, "first@move-to-DDR");
  EXPECT_TRUE(copy.is_spill);
  EXPECT_EQ(copy.layer, 3);  // the layer that found no room
  EXPECT_THAT(copy.reason, HasSubstr("third finds no room in CMX"));
  EXPECT_FALSE(graph.IsInCmx(FindWork(graph, "fourth").inputs[0]));
  EXPECT_EQ(OutputOf(graph, "first").place, Place::kCmx);
}

TEST(ScheduleTest, AStageOfShavesNeedsASlice) {
  Machine machine = *DefaultMachine();
  machine.cmx_slices = 2;
  machine.tiling_limit_bytes = 262144;
  Network network = BeginNetwork(64, 32);  // 131072 bytes, a slice each
  network.push_back(
      LayerOf(LayerKind::kConvolution, "second", Square(64, 64, 32), {1}));
  network.push_back(
      LayerOf(LayerKind::kBinary, "sum", Square(64, 64, 32), {1, 2}));
  const StageGraph graph = RunPasses(network, machine).spilled;
  EXPECT_THAT(FindWork(graph, "first@move-to-DDR").reason,
              HasSubstr("sum finds no SHAVE"));
}

TEST(ScheduleTest, ShavesAreThoseOfFreeSlices) {
  Network network = BeginNetwork(64, 28);
  network.push_back(LayerOf(LayerKind::kUnary, "erf", Square(64, 64, 28), {1}));
  network.push_back(
      LayerOf(LayerKind::kUnary, "erf2", Square(64, 64, 28), {2}));
  network.push_back(
      LayerOf(LayerKind::kUnary, "Relu", Square(64, 64, 28), {3}));
  network.push_back(
      LayerOf(LayerKind::kUnary, "Softmax", Square(64, 64, 28), {4}));
  network.push_back(
      LayerOf(LayerKind::kUnary, "erf3", Square(64, 64, 28), {5}));
  const Stages stages = StagesOf(network);
  // Behind an engine's, between SHAVEs', of kernels that take two or one.
  EXPECT_THAT(StageOf(stages, "erf").reason, HasSubstr("2 SHAVEs"));
  EXPECT_EQ(StageOf(stages, "erf").shaves, 2);
  EXPECT_THAT(StageOf(stages, "erf2").reason, HasSubstr("7 SHAVEs"));
  EXPECT_THAT(StageOf(stages, "Relu").reason, HasSubstr("2 SHAVEs"));
  EXPECT_THAT(StageOf(stages, "Softmax").reason, HasSubstr("1 SHAVE"));
  // In front of an engine's.
  network.push_back(
      LayerOf(LayerKind::kConvolution, "last", Square(64, 64, 28), {6}));
  EXPECT_THAT(StageOf(StagesOf(network), "erf3").reason, HasSubstr("2 SHAVEs"));
}

TEST(ScheduleTest, FullCmxLeavesFewerShaves) {
  Network network = BeginNetwork(224, 32);  // 458752 bytes
  network.push_back(
      LayerOf(LayerKind::kConvolution, "second", Square(3, 224, 32), {0}));
  network.push_back(
      LayerOf(LayerKind::kBinary, "sum", Square(224, 224, 32), {1, 2}));
  network.push_back(
      LayerOf(LayerKind::kUnary, "erf", Square(224, 224, 32), {3}));
  const Machine machine = *DefaultMachine();
  const StageGraph graph = RunPasses(network, machine).injected;
  const CmxPlan plan = PlanCmx(machine, graph);
  const int sum = static_cast<int>(&FindWork(graph, "sum") - graph.work.data());
  EXPECT_EQ(plan.free_shaves[sum], 2);  // 7 of 9 slices hold the operands
}

// Parts of 32 channels that engines write themselves.
Network WithConcat() {
  Network network = BeginNetwork(32, 28);
  network.push_back(
      LayerOf(LayerKind::kConvolution, "second", Square(3, 32, 28), {0}));
  network.push_back(
      LayerOf(LayerKind::kConcat, "both", Square(64, 64, 28), {1, 2}));
  network.push_back(
      LayerOf(LayerKind::kConvolution, "reader", Square(64, 32, 28), {3}));
  return network;
}

TEST(ScheduleTest, EnginesWriteToTheirPlaceInAConcatenation) {
  const Passed passed = RunPasses(WithConcat());
  EXPECT_THAT(OrderOf(passed.packed), Contains("both@copy-for-concat"));
  EXPECT_THAT(OrderOf(passed.spared), Not(Contains("both@copy-for-concat")));
  EXPECT_EQ(OutputOf(passed.spared, "first").bytes, 64 * 28 * 64);
}

TEST(ScheduleTest, WhatIsAPartAlreadyIsCopied) {
  Network network = WithConcat();
  network.push_back(
      LayerOf(LayerKind::kConcat, "larger", Square(96, 96, 28), {3, 4}));
  network.push_back(
      LayerOf(LayerKind::kConcat, "other", Square(96, 96, 28), {3, 4}));
  for (const int input : {5, 6}) {
    network.push_back(
        LayerOf(LayerKind::kConvolution, "end", Square(96, 8, 28), {input}));
  }
  const StageGraph graph = RunPasses(network).built;
  // One concatenation is a part of the other.
  EXPECT_EQ(OutputOf(graph, "both@copy-for-concat").bytes, 96 * 28 * 64);
  const Work& copy = FindWork(graph, "other@copy-for-concat");
  EXPECT_FALSE(copy.is_optional);
  EXPECT_THAT(copy.reason, HasSubstr("a part of something else"));
}

// Tiles of 458752 bytes; while one is computed, the one before it is copied.
Network WithTiles(int64_t in) {
  Network network = BeginNetwork(in, 28);
  network.push_back(
      LayerOf(LayerKind::kConvolution, "tiles", Square(in, 512, 28), {1}));
  network.push_back(
      LayerOf(LayerKind::kUnary, "erf", Square(512, 512, 28), {2}));
  return network;
}

TEST(ScheduleTest, WorkIsInjectedBesideAnEngine) {
  const StageGraph graph = RunPasses(WithTiles(128)).injected;
  const Work& second = FindWork(graph, "tiles@soh=2/2");
  ASSERT_NE(second.injected, kNone);
  EXPECT_EQ(graph.work[second.injected].name, "tiles@soh=1/2@copy");
  EXPECT_THAT(OrderOf(graph), Not(Contains("tiles@soh=1/2@copy")));
  // The last one has nobody to run beside.
  EXPECT_THAT(OrderOf(graph), Contains("tiles@soh=2/2@copy"));
}

TEST(ScheduleTest, WorkIsNotInjectedWhereItsBuffersDoNotFit) {
  const StageGraph graph = RunPasses(WithTiles(256)).injected;
  EXPECT_EQ(FindWork(graph, "tiles@soh=2/2").injected, kNone);
  EXPECT_THAT(OrderOf(graph), Contains("tiles@soh=1/2@copy"));
}

TEST(ScheduleTest, WorkIsNotInjectedBeforeWhatItReads) {
  Network network = BeginNetwork(64, 28);
  network.push_back(LayerOf(LayerKind::kUnary, "erf", Square(64, 64, 28), {1}));
  network.push_back(
      LayerOf(LayerKind::kConvolution, "second", Square(64, 64, 28), {2}));
  const StageGraph graph = RunPasses(network).injected;
  for (const Work& work : graph.work) EXPECT_EQ(work.injected, kNone);
}

TEST(ScheduleTest, TheEnginesStageHasTheTimeOfBoth) {
  const Stages stages = StagesOf(WithTiles(128));
  const Stage& engine = StageOf(stages, "tiles@soh=2/2");
  const Stage& copy = StageOf(stages, "tiles@soh=1/2@copy");
  EXPECT_EQ(copy.cycles, 0);
  EXPECT_GT(copy.hidden_cycles, copy.output_cycles);
  EXPECT_EQ(copy.bound, "hidden");
  EXPECT_THAT(copy.reason, HasSubstr("runs beside tiles@soh=2/2"));
  EXPECT_THAT(engine.reason, HasSubstr("beside it tiles@soh=1/2@copy"));
  EXPECT_GE(engine.cycles, StageOf(stages, "tiles@soh=1/2").cycles);
  EXPECT_LT(engine.cycles,
            StageOf(stages, "tiles@soh=1/2").cycles + copy.output_cycles);
}

// A layer that needs nothing of a convolution, beside it.
Network WithOther(LayerKind kind) {
  Network network = BeginNetwork(64, 28);
  network.push_back(LayerOf(kind, "other", Square(3, 64, 28), {0}));
  network.push_back(
      LayerOf(LayerKind::kBinary, "sum", Square(64, 64, 28), {1, 2}));
  return network;
}

TEST(ScheduleTest, WhatNeedsAllShavesRunsBesideNoEngine) {
  const StageGraph unary = RunPasses(WithOther(LayerKind::kUnary)).injected;
  ASSERT_NE(FindWork(unary, "first").injected, kNone);
  EXPECT_EQ(unary.work[FindWork(unary, "first").injected].name, "other");
  const StageGraph custom = RunPasses(WithOther(LayerKind::kCustom)).injected;
  EXPECT_EQ(FindWork(custom, "first").injected, kNone);
  EXPECT_THAT(OrderOf(custom), Contains("other"));
  EXPECT_THAT(FindWork(custom, "other").reason,
              HasSubstr("needs all SHAVEs, so that it runs beside no engine"));
}

// Four of nine slices hold the engine's output.
TEST(ScheduleTest, WhatNeedsAllShavesDoesNotRunWithLess) {
  Network network = BeginNetwork(64, 64);
  network.push_back(
      LayerOf(LayerKind::kUnary, "other", Square(64, 64, 64), {1}));
  const StageGraph unary = RunPasses(network).injected;
  EXPECT_THAT(OrderOf(unary), Not(Contains("first@move-to-DDR")));
  network.back().kind = LayerKind::kCustom;
  const StageGraph custom = RunPasses(network).injected;
  EXPECT_THAT(FindWork(custom, "first@move-to-DDR").reason,
              HasSubstr("other finds not all SHAVEs in CMX beside 1 buffer"));
  const Stages stages = StagesOf(network);
  EXPECT_THAT(StageOf(stages, "other").reason, HasSubstr("7 SHAVEs"));
}

// An engine, a copy that may run beside it, and other work that may not.
StageGraph GraphOf(int stages) {
  StageGraph graph;
  for (int i = 0; i < stages; ++i) {
    Buffer buffer;
    buffer.bytes = 64;
    buffer.place = i == 0 ? Place::kCmx : Place::kDdr;
    graph.buffers.push_back(buffer);
    Work work;
    work.lane = i == 0 ? Lane::kNce : i == 1 ? Lane::kDma : Lane::kShave;
    work.kind = i == 0   ? LayerKind::kConvolution
                : i == 1 ? LayerKind::kCopy
                         : LayerKind::kInput;
    work.output = i;
    graph.work.push_back(std::move(work));
    graph.order.push_back(i);
  }
  return graph;
}

TEST(ScheduleTest, NothingIsInjectedInMoreThanTenThousandStages) {
  StageGraph most = GraphOf(10000);
  InjectWork(*DefaultMachine(), most);
  EXPECT_EQ(most.work[0].injected, 1);
  EXPECT_EQ(most.work[0].reason, "");
  StageGraph more = GraphOf(10001);
  InjectWork(*DefaultMachine(), more);
  EXPECT_EQ(more.work[0].injected, kNone);
  EXPECT_EQ(more.work[0].reason,
            "nothing runs beside it, in more than 10000 stages");
}

// The first that fits, and no more.
TEST(ScheduleTest, AnEngineHasOneOtherWorkBesideIt) {
  StageGraph graph = GraphOf(3);
  graph.work[2].lane = Lane::kDma;
  graph.work[2].kind = LayerKind::kCopy;
  InjectWork(*DefaultMachine(), graph);
  EXPECT_EQ(graph.work[0].injected, 1);
  EXPECT_EQ(graph.work[2].beside, kNone);
}

TEST(ScheduleTest, PaddingThatEnginesDoNotAddIsShaves) {
  Network network = BeginNetwork(3, 224);
  network[1].shape = {3, 64, 224, 224, 112, 112, 7, 7, 2, 2, 2};
  const Stages stages = StagesOf(network);
  EXPECT_THAT(StageOf(stages, "first@padding").reason,
              HasSubstr("padding of 2 and 3 rows"));
  network[1].shape.pad_x = network[1].shape.pad_y = 3;
  for (const Stage& stage : StagesOf(network)) {
    EXPECT_NE(stage.name, "first@padding");
  }
}

// The line buffer holds three rows of 128 channels and 150 columns, of the four
// that it takes; two tiles of 75 columns cost less than two of channels.
TEST(ScheduleTest, TilesThatBeginBetweenGroupsOfEightPixelsAreCopied) {
  Network network = BeginNetwork(128, 150);
  network.push_back(LayerOf(LayerKind::kUnary, "erf",
                            {128, 128, 150, 60, 150, 60, 1, 1, 1}, {1}));
  network.push_back(LayerOf(LayerKind::kConvolution, "wide",
                            {128, 256, 150, 60, 150, 60, 1, 1, 1}, {2}));
  int copies = 0;
  for (const Stage& stage : StagesOf(network)) {
    if (stage.name.find("@align-input-ptr") == std::string::npos) continue;
    ++copies;
    EXPECT_THAT(stage.reason, HasSubstr("between groups of 8 pixels"));
  }
  EXPECT_GT(copies, 0);
}

TEST(ScheduleTest, PoolsTakeChannelsInGroupsOfSixteen) {
  const auto pool = [](int64_t channels) {
    Network network = BeginNetwork(channels, 28);
    network.push_back(LayerOf(LayerKind::kPool, "pool",
                              Square(channels, channels, 28, 3), {1}));
    return StageOf(StagesOf(network), "pool");
  };
  EXPECT_THAT(pool(32).reason,
              HasSubstr("mode 16_16, descriptors of 16 channels"));
  EXPECT_EQ(pool(17).compute_cycles, pool(32).compute_cycles);
  EXPECT_NEAR(pool(32).compute_cycles, 2 * pool(16).compute_cycles, 1);
}

// 3x3 takes channels in blocks of 4, 1x1 one by one.
TEST(ScheduleTest, PicturesAreCopiedToWhereBlocksOfChannelsFit) {
  Network network = BeginNetwork(16, 224);
  network[1].shape = Square(3, 16, 224, 3);
  const StageGraph graph = RunPasses(network).injected;
  const Work& copy = FindWork(graph, "first@expand-input");
  EXPECT_THAT(copy.reason,
              HasSubstr("an input of 3 channels, which engines take in blocks "
                        "of 4"));
  EXPECT_EQ(copy.elements, 3 * 224 * 224);
  EXPECT_EQ(graph.buffers[copy.output].bytes, 4 * 224 * 448);
  network[1].shape.kernel_x = network[1].shape.kernel_y = 1;
  EXPECT_THAT(OrderOf(RunPasses(network).injected),
              Not(Contains("first@expand-input")));
}

// What SHAVEs write is written there: the second reads 5 channels in blocks
// of 8.
TEST(ScheduleTest, OnlyTheNetworksInputIsCopiedForBlocks) {
  Network network = BeginNetwork(5, 28);
  network.push_back(LayerOf(LayerKind::kUnary, "erf", Square(5, 5, 28), {1}));
  network.push_back(
      LayerOf(LayerKind::kConvolution, "second", Square(5, 16, 28, 3), {2}));
  EXPECT_THAT(OrderOf(RunPasses(network).injected),
              Not(Contains("second@expand-input")));
}

// Of 112 rows each tile computes 38, of which those that its padding reaches
// beside another tile are junk: they take room in CMX, and time, and are not
// copied.
TEST(ScheduleTest, EnginesComputeJunk) {
  Network network = BeginNetwork(64, 112);
  network.push_back(
      LayerOf(LayerKind::kConvolution, "tiles", Square(64, 64, 112, 3), {1}));
  const StageGraph graph = RunPasses(network).injected;
  const Work& tile = FindWork(graph, "tiles@soh=2/4");
  EXPECT_EQ(tile.tile.out_height, 38);
  EXPECT_EQ(tile.macs, 36 * 112 * 64 * 64 * 9);
  EXPECT_EQ(graph.buffers[tile.output].bytes, 38 * 224 * 64);
  const Work& copy = FindWork(graph, "tiles@soh=2/4@copy");
  EXPECT_EQ(copy.rows, 36);
  EXPECT_EQ(copy.elements, 36 * 112 * 64);
}

bool Collide(const Allocation& a, const Allocation& b) {
  return a.place == b.place && a.first_stage <= b.last_stage &&
         b.first_stage <= a.last_stage && a.offset < b.offset + b.bytes &&
         b.offset < a.offset + a.bytes;
}

TEST(ScheduleTest, WhatLivesAtTheSameTimeHasItsOwnPlace) {
  Network large = BeginNetwork(64, 112);  // spills, tiles, partial sums
  large.push_back(
      LayerOf(LayerKind::kConvolution, "wide", Square(64, 512, 112), {1}));
  large.push_back(
      LayerOf(LayerKind::kConvolution, "deep", Square(512, 64, 112, 3), {2}));
  large.push_back(
      LayerOf(LayerKind::kBinary, "sum", Square(64, 64, 112), {1, 3}));
  for (const Network& network :
       {WithTiles(64), WithTiles(128), WithTiles(256), WithConcat(), large}) {
    const auto compiled = Compile(*DefaultMachine(), network);
    ASSERT_TRUE(compiled.ok()) << compiled.status();
    const std::vector<Allocation>& all = compiled->memory;
    for (size_t i = 0; i < all.size(); ++i) {
      EXPECT_EQ(all[i].reason.empty(), all[i].place == Place::kCmx);
      for (size_t j = 0; j < i; ++j) {
        EXPECT_FALSE(Collide(all[i], all[j])) << i << " " << j;
      }
    }
  }
}

TEST(ScheduleTest, EachPassCanBeSeen) {
  std::vector<std::string> names;
  std::string last;
  const auto compiled =
      Compile(*DefaultMachine(), WithTiles(128), /*works=*/{},
              [&](absl::string_view pass, const StageGraph& graph) {
                names.emplace_back(pass);
                last = GraphText(graph);
              });
  ASSERT_TRUE(compiled.ok()) << compiled.status();
  EXPECT_THAT(
      names, ::testing::ElementsAre("vpu-build-graph", "vpu-reorder-stages",
                                    "vpu-spill-to-ddr", "vpu-pack-into-cmx",
                                    "vpu-eliminate-copies", "vpu-inject-work"));
  EXPECT_THAT(last, HasSubstr("NCE tiles@soh=2/2: %"));
  EXPECT_THAT(last, HasSubstr(" CMX 458752; beside it tiles@soh=1/2@copy; "));
}

TEST(ScheduleTest, PassesCanBeLeftOut) {
  Machine machine = *DefaultMachine();
  machine.inject_work = machine.spare_copies = machine.pack_inputs = 0;
  const auto without = Compile(machine, WithTiles(128));
  ASSERT_TRUE(without.ok());
  for (const Stage& stage : without->stages) EXPECT_NE(stage.bound, "hidden");
  EXPECT_GT(TotalCycles(without->stages),
            TotalCycles(StagesOf(WithTiles(128))));
}

TEST(ScheduleTest, PlansReuseWhatIsFree) {
  StageGraph graph;
  const auto add = [&](int64_t bytes, std::vector<int> inputs) {
    Buffer buffer;
    buffer.bytes = bytes;
    buffer.place = Place::kCmx;
    graph.buffers.push_back(buffer);
    Work work;
    work.inputs = std::move(inputs);
    work.output = static_cast<int>(graph.buffers.size()) - 1;
    graph.work.push_back(work);
    graph.order.push_back(static_cast<int>(graph.work.size()) - 1);
  };
  add(100, {});
  add(200, {0});
  add(64, {1});   // in the gap of the first, at its end
  add(300, {2});  // behind all
  const CmxPlan plan = PlanCmx(*DefaultMachine(), graph);
  EXPECT_TRUE(plan.fits());
  EXPECT_THAT(plan.offsets, ::testing::ElementsAre(0, 100, 36, 100));
}

}  // namespace
}  // namespace dovetail::vpu
