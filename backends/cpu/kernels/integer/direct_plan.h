// How the direct method of convolving integers cuts its work.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_DIRECT_PLAN_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_DIRECT_PLAN_H_

#include <cstdint>
#include <vector>

#include "dovetail/backends/cpu/kernels/integer/integer_method.h"
#include "dovetail/backends/cpu/kernels/integer/tile_axis.h"

namespace dovetail::cpu {

// The input of a tile is widened to 16 bits: [rows][blocks][columns][lanes].
// A window then is a list of short runs of numbers, which lie at the same
// offsets from each pixel; each run has some pairs of products.
struct DirectPlan {
  DirectPlan(const IntegerConvolutionShape& shape, int threads);

  int64_t piece_count() const {
    return shape.batch * rows.tiles * columns.tiles * panel_groups;
  }
  int64_t tile_elements() const {
    return rows.places * blocks * columns.places * lanes;
  }
  int64_t panels() const { return (output_blocks + 1) / 2; }
  // Pairs of products of one output.
  int64_t pairs() const {
    return static_cast<int64_t>(offsets.size()) * run_pairs;
  }

  IntegerConvolutionShape shape;  // windows of one pixel are one long row
  int64_t blocks, output_blocks;  // of 8 channels
  // Channels that are kept, and pairs of products of a run: 8 and 4, or, where
  // there are few channels, all those and 1, which may be of two taps.
  int64_t lanes, run_pairs;
  TileAxis rows, columns;
  std::vector<int32_t> offsets;  // of the runs in a tile
  int64_t panel_groups, group_panels;

 private:
  void ChooseLanes();
  void ChooseTiles(int threads);
  void ListOffsets();
};

// To [panel][run][pair][output][2], where a panel has 16 outputs, the last one
// perhaps 8.
int64_t DirectWeightsSize(const DirectPlan& plan);
void PackDirectWeights(const DirectPlan& plan, const int8_t* weights,
                       int16_t* packed);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_DIRECT_PLAN_H_
