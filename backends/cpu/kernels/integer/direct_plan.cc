#include "dovetail/backends/cpu/kernels/integer/direct_plan.h"

#include <algorithm>

namespace dovetail::cpu {
namespace {

constexpr int64_t kBlock = 8;
// What the input of a tile may take: a part of the second-level cache.
constexpr int64_t kTileElements = 48 << 10;
// So few channels are kept without those of padding.
constexpr int64_t kFewChannels = 4;
// Pixels of a tile: fewer read weights too often, more are not worth it.
constexpr int64_t kFewPixels = 24, kManyPixels = 480;

bool IsOfSinglePixels(const WindowAxis& axis) {
  return axis.kernel == 1 && axis.stride == 1 && axis.pad == 0 &&
         axis.output == axis.input;
}

// All pixels in one row where rows do not matter.
IntegerConvolutionShape Flattened(IntegerConvolutionShape shape) {
  if (IsOfSinglePixels(shape.rows) && IsOfSinglePixels(shape.columns)) {
    shape.columns.input *= shape.rows.input;
    shape.columns.output = shape.columns.input;
    shape.rows = WindowAxis();
  }
  return shape;
}

// `one_output`: for tiles of a single output.
TileAxis AxisOf(const WindowAxis& axis, bool one_output) {
  TileAxis tile;
  if (axis.kernel == 1) {
    tile.unit = axis.stride;
  } else if (one_output) {
    tile.unit = axis.dilation;
  } else {
    tile.step = axis.stride;
    tile.tap_step = axis.dilation;
  }
  tile.reach = (axis.kernel - 1) * tile.tap_step;
  return tile;
}

// Into how many groups to cut the outputs of each of so many tiles, so that the
// threads end at about the same time. Each group packs the tile again.
int64_t GroupsFor(int64_t tiles, int threads) {
  int64_t groups = 1;
  for (; groups < threads; ++groups) {
    const int64_t pieces = tiles * groups;
    const int64_t rounds = DivideUp(pieces, threads);
    if (pieces * 10 >= rounds * threads * 9) break;
  }
  return groups;
}

}  // namespace

DirectPlan::DirectPlan(const IntegerConvolutionShape& of, int threads)
    : shape(Flattened(of)),
      blocks(DivideUp(of.inputs, kBlock)),
      output_blocks(DivideUp(of.outputs, kBlock)) {
  ChooseLanes();
  ChooseTiles(std::max(1, threads));
  ListOffsets();
}

void DirectPlan::ChooseLanes() {
  if (shape.inputs <= kFewChannels && shape.columns.dilation == 1) {
    lanes = shape.inputs;
    run_pairs = 1;
  } else {
    lanes = kBlock;
    run_pairs = kBlock / 2;
  }
}

void DirectPlan::ChooseTiles(int threads) {
  const int64_t height = shape.rows.output, width = shape.columns.output;
  const int64_t pixels = shape.batch * height * width;
  const int64_t wanted =
      std::clamp(pixels / PiecesFor(threads), kFewPixels, kManyPixels);
  // Rows far apart are not worth having those between them.
  const bool one_row = shape.rows.dilation > 1;
  rows = AxisOf(shape.rows, one_row);
  columns = AxisOf(shape.columns, false);
  const int64_t places = kTileElements / (blocks * lanes);
  columns.Cut(width, std::clamp(columns.OutputsOf(places / (rows.reach + 1)),
                                std::min(wanted, kFewPixels), wanted));
  const int64_t fit = rows.OutputsOf(places / columns.places);
  rows.Cut(height,
           one_row ? 1 : std::min(fit, DivideUp(wanted, columns.outputs)));
  panel_groups = 1;
  panel_groups = std::min(GroupsFor(piece_count(), threads), panels());
  group_panels = DivideUp(panels(), panel_groups);
  panel_groups = DivideUp(panels(), group_panels);
}

void DirectPlan::ListOffsets() {
  const int64_t block_step = columns.places * lanes;
  // Within a row of taps.
  const int64_t run_step = lanes < kBlock ? 2 : columns.tap_step * lanes;
  const int64_t runs = DivideUp(shape.columns.kernel * lanes, 2 * run_pairs);
  for (int64_t r = 0; r < shape.rows.kernel; ++r) {
    for (int64_t b = 0; b < blocks; ++b) {
      const int64_t row = (r * rows.tap_step * blocks + b) * block_step;
      for (int64_t i = 0; i < runs; ++i) {
        offsets.push_back(static_cast<int32_t>(row + i * run_step));
      }
    }
  }
}

int64_t DirectWeightsSize(const DirectPlan& plan) {
  return plan.output_blocks * kBlock * plan.pairs() * 2;
}

void PackDirectWeights(const DirectPlan& plan, const int8_t* weights,
                       int16_t* packed) {
  std::fill_n(packed, DirectWeightsSize(plan), int16_t{0});
  const IntegerConvolutionShape& s = plan.shape;
  const int64_t taps = s.rows.kernel * s.columns.kernel;
  const int64_t runs = static_cast<int64_t>(plan.offsets.size());
  const int64_t row_runs = runs / s.rows.kernel / plan.blocks;
  for (int64_t o = 0; o < s.outputs; ++o) {
    const int64_t panel = o / (2 * kBlock);
    const int64_t width =
        std::min(2 * kBlock, (plan.output_blocks - 2 * panel) * kBlock);
    int16_t* const to =
        packed + panel * 2 * kBlock * plan.pairs() * 2 + o % (2 * kBlock) * 2;
    for (int64_t i = 0; i < s.inputs; ++i) {
      for (int64_t tap = 0; tap < taps; ++tap) {
        const int64_t r = tap / s.columns.kernel, c = tap % s.columns.kernel;
        // The element's number among those of its row of runs.
        const int64_t element = c * plan.lanes + i % kBlock;
        const int64_t first_run = (r * plan.blocks + i / kBlock) * row_runs;
        const int64_t k = first_run * plan.run_pairs * 2 + element;
        to[k / 2 * width * 2 + k % 2] =
            weights[(o * s.inputs + i) * taps + tap];
      }
    }
  }
}

}  // namespace dovetail::cpu
