#include "dovetail/backends/cpu/kernels/integer/winograd/winograd_plan.h"

#include <algorithm>

#include "dovetail/backends/cpu/kernels/common/channel_block.h"
#include "dovetail/backends/cpu/kernels/integer/tile_axis.h"

namespace dovetail::cpu {
namespace {

constexpr int64_t kSpots = kWinogradPoints * kWinogradPoints;
constexpr int64_t kPanel = 2 * kChannelBlock;
// What transformed tiles and sums of a work item may take: most of the L2
// cache.
constexpr int64_t kCacheBytes = 256 << 10;
constexpr int64_t kFewTiles = 12;
// How long things take beside a pair of products of 16 outputs: reading their
// weights, transforming a block of a tile, and a panel of one back.
constexpr double kWeightsTime = 2, kInTime = 120, kOutTime = 350;

bool IsWindowOfThree(const WindowAxis& axis) {
  return axis.kernel == 3 && axis.stride == 1 && axis.dilation == 1;
}

WinogradShape ShapeOf(const IntegerConvolutionShape& of) {
  WinogradShape shape;
  shape.batch = of.batch;
  shape.inputs = of.inputs;
  shape.outputs = of.outputs;
  shape.rows = {of.rows};
  shape.columns = {of.columns};
  return shape;
}

// What reading four times as many weights costs, in tiles that are multiplied
// with them: more where they come from memory (resnet18 and dla34 on a Xeon,
// limited to AVX2 and to AVX-512 without VNNI).
int64_t TilesOfReading(const WinogradShape& shape) {
  constexpr int64_t kManyWeights = 512 << 10, kNearTiles = 3, kFarTiles = 12;
  return kSpots * shape.inputs * shape.outputs > kManyWeights ? kFarTiles
                                                              : kNearTiles;
}

// Whether products that are saved are more than what the transformations, and
// reading weights, cost.
bool IsFaster(const WinogradShape& shape) {
  const int64_t tiles = WinogradTiles(shape);
  const int64_t pixels = shape.batch * shape.rows.output * shape.columns.output;
  return shape.inputs >= kChannelBlock && shape.outputs >= kChannelBlock &&
         (tiles + TilesOfReading(shape)) * kSpots < pixels * 9;
}

}  // namespace

bool IntegerWinogradPlan::IsFitting(const IntegerConvolutionShape& shape) {
  return shape.groups == 1 && IsWindowOfThree(shape.rows) &&
         IsWindowOfThree(shape.columns) && IsFaster(ShapeOf(shape));
}

IntegerWinogradPlan::IntegerWinogradPlan(const IntegerConvolutionShape& of,
                                         int threads)
    : shape(ShapeOf(of)),
      input_type(of.input_type),
      zero_point(of.zero_point),
      input_blocks(DivideUp(of.inputs, kChannelBlock)),
      output_blocks(DivideUp(of.outputs, kChannelBlock)),
      tiles(WinogradTiles(shape)) {
  ChooseWorkItems(std::max(1, threads));
}

void IntegerWinogradPlan::ChooseWorkItems(int threads) {
  const int64_t tile_bytes =
      kSpots * (input_blocks * kChannelBlock * 2 + kPanel * 4);
  const int64_t most =
      std::clamp(kCacheBytes / tile_bytes / 6 * 6, kFewTiles, kManyTiles);
  const int64_t least = DivideUp(tiles, most);
  const double blocks = static_cast<double>(input_blocks);
  for (int64_t n = least; n <= std::min(tiles, least + MoreTiles(threads));
       ++n) {
    const int64_t size = DivideUp(tiles, n);
    const double now = static_cast<double>(size);
    const double products = kSpots * (blocks * kChannelBlock / 2);
    const PanelGroups choice =
        ChooseGroups(DivideUp(tiles, size), panels(), now * blocks * kInTime,
                     products * (now + kWeightsTime) + now * kOutTime, threads);
    if (choice.time < groups.time) {
      groups = choice;
      item_tiles = size;
    }
  }
}

int64_t IntegerWinogradPlan::work_item_count() const {
  return DivideUp(tiles, item_tiles) * groups.count;
}

int64_t IntegerWinogradPlan::scratch_bytes() const {
  const int64_t even = EvenTiles(item_tiles);
  return kSpots * even * kChannelBlock * input_blocks *
             static_cast<int64_t>(sizeof(int16_t)) +
         (kSpots * even * kPanel + 2 * input_blocks) *
             static_cast<int64_t>(sizeof(int32_t));
}

}  // namespace dovetail::cpu
