#include "dovetail/backends/cpu/kernels/integer/depthwise/depthwise_plan.h"

#include <algorithm>

#include "dovetail/backends/cpu/kernels/common/channel_block.h"

namespace dovetail::cpu {
namespace {

constexpr int64_t kPair = 2 * kChannelBlock;  // numbers of a place
// What a tile may take: a part of the L1 cache, with the sums.
constexpr int64_t kTilePlaces = 640;
constexpr int64_t kMaxColumns = 64;

TileAxis ColumnsOf(const WindowAxis& axis) {
  TileAxis tile;
  tile.step = axis.stride;
  tile.tap_step = axis.dilation;
  tile.reach = (axis.kernel - 1) * axis.dilation;
  return tile;
}

}  // namespace

IntegerDepthwisePlan::IntegerDepthwisePlan(const IntegerConvolutionShape& of,
                                           int threads)
    : shape(of),
      blocks(DivideUp(of.outputs, kChannelBlock)),
      group(of.rows.stride == 1 && of.rows.dilation == 1 ? 2 : 1),
      row_pairs(DivideUp(of.rows.kernel + group - 1, 2)),
      columns(ColumnsOf(of.columns)) {
  columns.Cut(of.columns.output, kMaxColumns);
  rows.unit = 2 * of.rows.dilation;
  rows.reach = row_pairs - 1;
  const int64_t groups = DivideUp(of.rows.output, group);
  const int64_t planes = of.batch * blocks * columns.tiles;
  const int64_t wanted = DivideUp(groups * planes, WorkItemsFor(threads));
  const int64_t fit = rows.OutputsOf(kTilePlaces / columns.places);
  // Whether a row of outputs, or two, begin where the next pair does.
  const bool are_shared = of.rows.stride * group == rows.unit;
  rows.Cut(groups, are_shared ? std::min(wanted, fit) : 1);
}

int64_t IntegerDepthwisePlan::scratch_bytes() const {
  return rows.places * columns.places * kPair *
             static_cast<int64_t>(sizeof(int16_t)) +
         group * columns.outputs * kChannelBlock *
             static_cast<int64_t>(sizeof(int32_t));
}

void PackIntegerWeights(const IntegerDepthwisePlan& plan, const int8_t* weights,
                        int16_t* packed) {
  const int64_t height = plan.shape.rows.kernel;
  const int64_t width = plan.shape.columns.kernel;
  for (int64_t o = 0; o < plan.shape.outputs; ++o) {
    for (int64_t g = 0; g < plan.group; ++g) {
      int16_t* const first =
          packed +
          (o / kChannelBlock * plan.group + g) * plan.window_elements() +
          o % kChannelBlock * 2;
      for (int64_t r = 0; r < height; ++r) {
        const int64_t row = r + g;
        for (int64_t c = 0; c < width; ++c) {
          first[(row / 2 * width + c) * kPair + row % 2] =
              weights[(o * height + r) * width + c];
        }
      }
    }
  }
}

}  // namespace dovetail::cpu
