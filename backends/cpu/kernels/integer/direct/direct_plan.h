// Division of the work of direct integer convolutions.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_DIRECT_DIRECT_PLAN_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_DIRECT_DIRECT_PLAN_H_

#include <cstdint>
#include <string>

#include "dovetail/backends/cpu/kernels/integer/direct/run_lists.h"
#include "dovetail/backends/cpu/kernels/integer/integer_method.h"
#include "dovetail/backends/cpu/kernels/integer/tile_axis.h"
#include "dovetail/backends/cpu/kernels/integer/work_split.h"

namespace dovetail::cpu {

// The input of a tile is widened to 16 bits: [rows][blocks][columns][lanes].
// A window then is a list of short runs of numbers, which lie at the same
// offsets from each pixel; each run has some pairs of products.
struct DirectPlan {
  // So many pixels of a row are finished at a time, while their sums are in the
  // L1 cache: a multiple of those that are summed together.
  static constexpr int64_t kPixels = 96;
  // So few channels are kept without those of padding.
  static constexpr int64_t kFewChannels = 4;

  // of_bytes: for ByteIntegerMethod, whose runs are of whole quads of numbers,
  // and which reads padding as all else.
  DirectPlan(const IntegerConvolutionShape& shape, int threads,
             bool of_bytes = false);

  int64_t work_item_count() const { return tile_count() * groups.count; }
  int64_t tile_count() const {
    return shape.batch * rows.tiles * columns.tiles;
  }
  int64_t tile_elements() const {
    return rows.places * blocks * columns.places * lanes;
  }
  // With what vectors may write or read behind it.
  int64_t tile_room() const;
  // From what a row of outputs reads of the tile to what the next one does.
  int64_t tile_step() const {
    return rows.step * blocks * columns.places * lanes;
  }
  int64_t scratch_bytes() const;
  int64_t panels() const { return (output_blocks + 1) / 2; }
  int64_t weight_elements() const { return output_blocks * 8 * pairs() * 2; }
  int64_t window_runs() const { return shape.rows.kernel * blocks * row_runs; }
  // Pairs of products of one output.
  int64_t pairs() const { return window_runs() * run_pairs; }
  // Names the taps that are kept, where these are not all.
  std::string TapsForm() const;

  // `shape` as it was given.
  WindowAxis given_rows, given_columns;
  IntegerConvolutionShape shape;  // windows of one pixel are one long row
  int64_t blocks, output_blocks;  // of 8 channels
  bool of_bytes;
  // Channels that are kept, and pairs of products of a run: 8 and 4, or, where
  // there are few channels, all those and 1, or of bytes 2 to 6, which may be
  // of several taps.
  int64_t lanes, run_pairs;
  int64_t row_runs;  // of a row of taps and a block
  // Which tap of the weights is the first of `shape`: those that are in padding
  // for all outputs are left out.
  int64_t first_row, first_column;
  TileAxis rows, columns;
  RunLists runs;
  PanelGroups groups;

 private:
  void ChooseLanes();
  // The tiles and groups that take the least time.
  void ChooseTiles(int threads);
  void ChooseRows(int64_t most, int threads, DirectPlan& best);
  bool HasFarWeights() const;
  // By an estimate, in pairs of products of a panel for one pixel.
  double TileTime() const;
  double PanelTime() const;
  void ListRuns();
};

// Writes weights over zeros at `packed`: [panel][run][pair][output][2], where a
// panel has 16 outputs, the last one perhaps 8.
void PackIntegerWeights(const DirectPlan& plan, const int8_t* weights,
                        int16_t* packed);

// Those of one panel, which begin at `packed`.
void PackIntegerPanel(const DirectPlan& plan, const int8_t* weights,
                      int64_t panel, int16_t* packed);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_DIRECT_DIRECT_PLAN_H_
