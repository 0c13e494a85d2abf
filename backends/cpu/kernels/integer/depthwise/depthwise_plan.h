// Division of the work of depthwise integer convolutions.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_DEPTHWISE_DEPTHWISE_PLAN_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_DEPTHWISE_DEPTHWISE_PLAN_H_

#include <cstdint>

#include "dovetail/backends/cpu/kernels/integer/integer_method.h"
#include "dovetail/backends/cpu/kernels/integer/tile_axis.h"

namespace dovetail::cpu {

// Pairs of rows are interleaved as 16-bit numbers: [places][places][8][2]. An
// output is a sum over pairs of rows and columns of products of two numbers
// with two weights. Where windows move by single rows, two outputs below each
// other read the same pairs, the second one with weights shifted by a row.
struct IntegerDepthwisePlan {
  IntegerDepthwisePlan(const IntegerConvolutionShape& shape, int threads);

  int64_t work_item_count() const {
    return shape.batch * blocks * rows.tiles * columns.tiles;
  }
  // Numbers of the weights of one row of outputs that read the same pairs, and
  // of all.
  int64_t window_elements() const {
    return row_pairs * shape.columns.kernel * 16;
  }
  int64_t weight_elements() const { return blocks * group * window_elements(); }
  int64_t scratch_bytes() const;
  // Of a channel, which may be one of padding.
  int32_t ZeroPointOf(int64_t channel) const {
    if (shape.zero_points.empty()) return shape.zero_point;
    return channel < shape.inputs ? shape.zero_points[channel] : 0;
  }

  IntegerConvolutionShape shape;
  int64_t blocks;     // of 8 channels
  int64_t group;      // 1 or 2 outputs below each other
  int64_t row_pairs;  // that they read
  TileAxis rows;      // of groups and pairs
  TileAxis columns;
};

// Writes weights over zeros at `packed`: [block][output of a group][pair of
// rows][column][8][2].
void PackIntegerWeights(const IntegerDepthwisePlan& plan, const int8_t* weights,
                        int16_t* packed);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_DEPTHWISE_DEPTHWISE_PLAN_H_
