#include "dovetail/backends/cpu/kernels/integer/direct/direct_plan.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "dovetail/backends/cpu/kernels/common/channel_block.h"

namespace dovetail::cpu {
namespace {

// What the input of a tile may take: a part of the L2 cache, or most of it
// where weights come from far.
constexpr int64_t kTileElements = 48 << 10, kGreatTileElements = 128 << 10;
// Elements that vectors may write or read behind a tile.
constexpr int64_t kSlack = 32;
// How long a run takes beside a quad of its products.
constexpr double kRunTime = 0.5;
// Pixels of a tile: more are not worth it.
constexpr int64_t kManyPixels = 480;
// How long things take beside a pair of products of 16 outputs: reading their
// weights, finishing and storing 16 outputs, beginning with a panel, and
// widening a number of the input.
constexpr double kWeightsTime = 2, kFinishTime = 5, kPanelTime = 100;
// Where so many weights are read again for each tile, they come from the L3
// cache or from memory.
constexpr int64_t kManyWeights = 128 << 10;
constexpr double kFarWeightsTime = 8;
constexpr double kWidenTime = 0.08;

// Leaves out the first and last taps that are in padding for all outputs, as
// those of a dilation beyond the picture's extent; the first one that is kept.
int64_t Trim(WindowAxis& axis) {
  TapRange kept{axis.kernel, 0};
  for (int64_t i = 0; i < axis.output; ++i) {
    const TapRange taps = TapsInside(axis, i);
    if (taps.begin == taps.end) continue;
    kept.begin = std::min(kept.begin, taps.begin);
    kept.end = std::max(kept.end, taps.end);
  }
  if (kept.begin >= kept.end) return 0;
  axis.kernel = kept.end - kept.begin;
  axis.pad -= kept.begin * axis.dilation;
  return kept.begin;
}

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

// Quads of a run: those of the least time for a row of taps of so many numbers.
int64_t QuadsOfRuns(int64_t numbers) {
  const auto time = [&](int64_t quads) {
    return static_cast<double>(DivideUp(numbers, 4 * quads)) *
           (static_cast<double>(quads) + kRunTime);
  };
  int64_t best = 1;
  for (const int64_t quads : {2, 3}) {
    if (time(quads) < time(best)) best = quads;
  }
  return best;
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

}  // namespace

DirectPlan::DirectPlan(const IntegerConvolutionShape& of, int threads,
                       bool of_bytes)
    : given_rows(of.rows),
      given_columns(of.columns),
      shape(of),
      blocks(DivideUp(of.inputs, kChannelBlock)),
      output_blocks(DivideUp(of.outputs, kChannelBlock)),
      of_bytes(of_bytes) {
  first_row = Trim(shape.rows);
  first_column = Trim(shape.columns);
  shape = Flattened(shape);
  ChooseLanes();
  ChooseTiles(std::max(1, threads));
  ListRuns();
}

void DirectPlan::ChooseLanes() {
  if (shape.inputs <= kFewChannels && shape.columns.dilation == 1) {
    lanes = shape.inputs;
    run_pairs = of_bytes ? 2 * QuadsOfRuns(shape.columns.kernel * lanes) : 1;
  } else {
    lanes = kChannelBlock;
    run_pairs = kChannelBlock / 2;
  }
  row_runs = DivideUp(shape.columns.kernel * lanes, 2 * run_pairs);
}

void DirectPlan::ChooseTiles(int threads) {
  // Rows far apart are not worth having those between them.
  const bool one_row = shape.rows.dilation > 1;
  rows = AxisOf(shape.rows, one_row);
  columns = AxisOf(shape.columns, false);
  const int64_t width = shape.columns.output;
  const int64_t elements = HasFarWeights() ? kGreatTileElements : kTileElements;
  const int64_t places = elements / (blocks * lanes);
  const int64_t most = std::clamp<int64_t>(
      columns.OutputsOf(places / (rows.reach + 1)), 1, kManyPixels);
  const int64_t least_tiles = DivideUp(width, most);
  // Rows are cut more finely where there are some.
  const int64_t more = shape.rows.output > 1 ? 1 : MoreTiles(threads);
  DirectPlan best = *this;
  for (int64_t n = least_tiles; n <= std::min(width, least_tiles + more); ++n) {
    columns.Cut(width, DivideUp(width, n));
    const int64_t fit = std::min(rows.OutputsOf(places / columns.places),
                                 kManyPixels / columns.outputs);
    ChooseRows(one_row ? 1 : std::max<int64_t>(1, fit), threads, best);
  }
  *this = best;
}

void DirectPlan::ChooseRows(int64_t most, int threads, DirectPlan& best) {
  const int64_t height = shape.rows.output;
  const int64_t least_tiles = DivideUp(height, most);
  const int64_t last = std::min(height, least_tiles + MoreTiles(threads));
  for (int64_t n = least_tiles; n <= last; ++n) {
    rows.Cut(height, DivideUp(height, n));
    groups =
        ChooseGroups(tile_count(), panels(), TileTime(), PanelTime(), threads);
    if (groups.time < best.groups.time) best = *this;
  }
}

bool DirectPlan::HasFarWeights() const {
  return weight_elements() > kManyWeights;
}

double DirectPlan::TileTime() const {
  return static_cast<double>(tile_elements()) * kWidenTime;
}

double DirectPlan::PanelTime() const {
  const double pixels = static_cast<double>(rows.outputs * columns.outputs);
  const double weights = HasFarWeights() ? kFarWeightsTime : kWeightsTime;
  return static_cast<double>(pairs()) * (pixels + weights) +
         pixels * kFinishTime + kPanelTime;
}

void DirectPlan::ListRuns() {
  RunLists::Window window;
  window.rows = shape.rows;
  window.columns = shape.columns;
  window.blocks = blocks;
  window.row_runs = row_runs;
  window.runs_are_taps = lanes == kChannelBlock && !of_bytes;
  window.block_step = columns.places * lanes;
  window.row_step = rows.tap_step * blocks * window.block_step;
  window.run_step =
      lanes == kChannelBlock ? columns.tap_step * lanes : 2 * run_pairs;
  runs = RunLists(window);
}

std::string DirectPlan::TapsForm() const {
  if (shape.rows.kernel == given_rows.kernel &&
      shape.columns.kernel == given_columns.kernel) {
    return "";
  }
  return absl::StrCat(" of taps ", first_row, ",", first_column, ":",
                      shape.rows.kernel, ",", shape.columns.kernel);
}

int64_t DirectPlan::tile_room() const {
  return (tile_elements() + 2 * kSlack - 1) / kSlack * kSlack;
}

int64_t DirectPlan::scratch_bytes() const {
  return tile_room() * static_cast<int64_t>(sizeof(int16_t)) +
         2 * kChannelBlock * kPixels * static_cast<int64_t>(sizeof(int32_t));
}

namespace {

// Weights [outputs, inputs, rows, columns] of a panel: outputs from `first` on,
// whose packed weights lie `width` by `width`.
struct PanelOfWeights {
  PanelOfWeights(const DirectPlan& plan, const int8_t* weights, int64_t panel)
      : plan(plan), taps(plan.given_rows.kernel * plan.given_columns.kernel) {
    const int64_t first = panel * 2 * kChannelBlock;
    from = weights + first * plan.shape.inputs * taps;
    outputs = std::min(2 * kChannelBlock, plan.shape.outputs - first);
    width =
        std::min(2 * kChannelBlock, plan.output_blocks * kChannelBlock - first);
  }

  int64_t TapAt(int64_t row, int64_t column) const {
    return (plan.first_row + row) * plan.given_columns.kernel +
           plan.first_column + column;
  }

  // A run: a tap of 8 inputs. What is written at a time is next to each other.
  void PackBlock(int64_t block, int64_t tap, int16_t* to) const {
    const int64_t first = block * kChannelBlock;
    const int64_t inputs = std::min(kChannelBlock, plan.shape.inputs - first);
    for (int64_t o = 0; o < outputs; ++o) {
      const int8_t* const row = from + (o * plan.shape.inputs + first) * taps;
      for (int64_t i = 0; i < inputs; ++i) {
        to[(i / 2 * width + o) * 2 + i % 2] = row[i * taps + tap];
      }
    }
  }

  // All taps of a row, of few channels: their numbers are one after the other.
  void PackRow(int64_t row, int16_t* to) const {
    for (int64_t o = 0; o < outputs; ++o) {
      for (int64_t i = 0; i < plan.shape.inputs; ++i) {
        const int8_t* const tap = from + (o * plan.shape.inputs + i) * taps;
        for (int64_t c = 0; c < plan.shape.columns.kernel; ++c) {
          const int64_t k = c * plan.lanes + i;
          to[(k / 2 * width + o) * 2 + k % 2] = tap[TapAt(row, c)];
        }
      }
    }
  }

  void Pack(int16_t* to) const {
    const int64_t run = plan.run_pairs * width * 2;
    for (int64_t r = 0; r < plan.shape.rows.kernel; ++r) {
      if (plan.lanes < kChannelBlock) {
        PackRow(r, to);
        to += plan.row_runs * run;
        continue;
      }
      for (int64_t b = 0; b < plan.blocks; ++b) {
        for (int64_t c = 0; c < plan.shape.columns.kernel; ++c, to += run) {
          PackBlock(b, TapAt(r, c), to);
        }
      }
    }
  }

  const DirectPlan& plan;
  const int64_t taps;
  const int8_t* from;
  int64_t outputs, width;
};

}  // namespace

void PackIntegerWeights(const DirectPlan& plan, const int8_t* weights,
                        int16_t* packed) {
  for (int64_t panel = 0; panel < plan.panels(); ++panel) {
    PackIntegerPanel(plan, weights, panel,
                     packed + panel * 2 * kChannelBlock * plan.pairs() * 2);
  }
}

void PackIntegerPanel(const DirectPlan& plan, const int8_t* weights,
                      int64_t panel, int16_t* packed) {
  PanelOfWeights(plan, weights, panel).Pack(packed);
}

}  // namespace dovetail::cpu
