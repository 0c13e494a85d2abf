#include "dovetail/backends/cpu/kernels/integer/direct/direct_plan.h"

#include <algorithm>

#include "dovetail/backends/cpu/kernels/integer/tile_axis.h"
#include "gtest/gtest.h"

namespace dovetail::cpu {
namespace {

WindowAxis AxisOf(int64_t input, int64_t kernel, int64_t stride) {
  WindowAxis axis;
  axis.input = input;
  axis.kernel = kernel;
  axis.stride = stride;
  axis.pad = kernel / 2;
  axis.output = (input + 2 * axis.pad - kernel) / stride + 1;
  return axis;
}

DirectPlan PlanOf(int64_t inputs, int64_t outputs, int64_t extent,
                  int64_t kernel, int64_t stride, int threads) {
  IntegerConvolutionShape shape;
  shape.inputs = inputs;
  shape.outputs = outputs;
  shape.rows = shape.columns = AxisOf(extent, kernel, stride);
  return DirectPlan(shape, threads);
}

void ExpectWhole(const TileAxis& tiles, int64_t outputs) {
  EXPECT_GE(tiles.tiles * tiles.outputs, outputs);
  EXPECT_LT((tiles.tiles - 1) * tiles.outputs, outputs);
  EXPECT_GE(tiles.places, tiles.PlacesOf(tiles.outputs));
}

TEST(DirectPlanTest, TilesAndGroupsCoverTheOutputsOnce) {
  for (const int threads : {1, 2, 3, 16}) {
    for (const int64_t extent : {1, 7, 14, 65}) {
      for (const int64_t kernel : {1, 3}) {
        for (const int64_t stride : {1, 2}) {
          const DirectPlan plan =
              PlanOf(40, 200, extent, kernel, stride, threads);
          ExpectWhole(plan.rows, plan.shape.rows.output);
          ExpectWhole(plan.columns, plan.shape.columns.output);
          const PanelGroups& groups = plan.groups;
          EXPECT_GE(groups.count * groups.panels, plan.panels());
          EXPECT_LT((groups.count - 1) * groups.panels, plan.panels());
        }
      }
    }
  }
}

TEST(DirectPlanTest, WindowsOfOnePixelAreOneRow) {
  const DirectPlan plan = PlanOf(16, 16, 14, 1, 1, 1);
  EXPECT_EQ(plan.shape.rows.output, 1);
  EXPECT_EQ(plan.shape.columns.output, 14 * 14);
  EXPECT_EQ(plan.work_item_count(), 1);
}

// The pixels and panels of the thread that has most to do, beside the mean.
double Unevenness(const DirectPlan& plan, int threads) {
  const int64_t rounds = DivideUp(plan.work_item_count(), threads);
  const int64_t most = rounds * threads * plan.rows.outputs *
                       plan.columns.outputs * plan.groups.panels;
  const int64_t all =
      plan.shape.rows.output * plan.shape.columns.output * plan.panels();
  return static_cast<double>(most) / static_cast<double>(all);
}

TEST(DirectPlanTest, ThreadsHaveAboutEquallyMuchToDo) {
  for (const int64_t extent : {7, 14, 22, 28, 56, 112}) {
    EXPECT_LT(Unevenness(PlanOf(96, 576, extent, 1, 1, 2), 2), 1.06) << extent;
    EXPECT_LT(Unevenness(PlanOf(384, 64, extent, 1, 1, 2), 2), 1.06) << extent;
  }
  EXPECT_LT(Unevenness(PlanOf(3, 32, 224, 3, 2, 2), 2), 1.06);
}

TEST(DirectPlanTest, FewPixelsAreSharedByTheirOutputs) {
  const DirectPlan plan = PlanOf(160, 960, 7, 1, 1, 2);
  EXPECT_EQ(plan.tile_count(), 1);
  EXPECT_GT(plan.groups.count, 1);
}

TEST(DirectPlanTest, TilesFitTheCache) {
  for (const int64_t inputs : {64, 512, 2048}) {
    const DirectPlan plan = PlanOf(inputs, 64, 56, 3, 1, 1);
    const int64_t row = plan.columns.PlacesOf(1) * plan.blocks * plan.lanes;
    EXPECT_LE(plan.tile_elements(), std::max<int64_t>(128 << 10, 3 * row));
  }
}

TEST(DirectPlanTest, TapsThatAreAlwaysInPaddingAreLeftOut) {
  IntegerConvolutionShape shape;
  shape.inputs = shape.outputs = 16;
  shape.rows = shape.columns = {16, 16, 3, 1, 18, 18};
  const DirectPlan plan(shape, 1);
  EXPECT_EQ(plan.first_row, 1);
  EXPECT_EQ(plan.first_column, 1);
  EXPECT_EQ(plan.shape.columns.output, 16 * 16);
  EXPECT_EQ(plan.window_runs(), plan.blocks);
}

TEST(DirectPlanTest, OutputsHaveTheRunsOfTapsInThePicture) {
  IntegerConvolutionShape shape;
  shape.inputs = shape.outputs = 8;
  shape.rows = shape.columns = {16, 16, 3, 1, 12, 12};
  const DirectPlan plan(shape, 1);
  int64_t end = 0;
  for (const RunLists::Segment& segment : plan.runs.segments()) {
    EXPECT_EQ(segment.begin, end);
    end = segment.end;
    const int64_t columns = segment.begin >= 4 && segment.end <= 12 ? 1 : 2;
    EXPECT_EQ(plan.runs.Of(0, segment).size(), 2 * columns);
    EXPECT_EQ(plan.runs.Of(8, segment).size(), columns);
  }
  EXPECT_EQ(end, 16);
  EXPECT_EQ(plan.runs.segments().size(), 3);
}

TEST(DirectPlanTest, FewChannelsAreKeptWithoutPadding) {
  const DirectPlan plan = PlanOf(3, 16, 32, 3, 2, 1);
  EXPECT_EQ(plan.lanes, 3);
  EXPECT_EQ(plan.pairs(), 3 * 5);  // 9 numbers of a row are 5 pairs
}

}  // namespace
}  // namespace dovetail::cpu
