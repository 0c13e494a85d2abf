// Convolutions of integers, of each channel by itself.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_INTEGER_DEPTHWISE_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_INTEGER_DEPTHWISE_H_

#include "dovetail/backends/cpu/kernels/integer/integer_method.h"
#include "dovetail/backends/cpu/kernels/integer/tile_axis.h"

namespace dovetail::cpu {

// Pairs of rows are interleaved as 16-bit numbers: [places][places][8][2]. An
// output is a sum over pairs of rows and columns of products of two numbers
// with two weights. Where windows move by single rows, two outputs below each
// other read the same pairs, the second one with weights shifted by a row.
struct IntegerDepthwisePlan {
  IntegerDepthwisePlan(const IntegerConvolutionShape& shape, int threads);

  int64_t piece_count() const {
    return shape.batch * blocks * rows.tiles * columns.tiles;
  }
  // Numbers of the weights of one row of outputs that read the same pairs.
  int64_t weight_elements() const {
    return row_pairs * shape.columns.kernel * 16;
  }

  IntegerConvolutionShape shape;
  int64_t blocks;     // of 8 channels
  int64_t group;      // 1 or 2 outputs below each other
  int64_t row_pairs;  // that they read
  TileAxis rows;      // of groups and pairs
  TileAxis columns;
};

class DepthwiseIntegerMethod : public IntegerMethod {
 public:
  DepthwiseIntegerMethod(const IntegerConvolutionShape& shape, int threads)
      : plan_(shape, threads) {}

  absl::string_view weights_form() const override { return "pairs of rows"; }
  int64_t weights_bytes() const override;
  // To [block][output of a group][pair of rows][column][8][2].
  void PackWeights(const int8_t* weights, void* packed) const override;
  int64_t piece_count() const override { return plan_.piece_count(); }
  int64_t scratch_bytes() const override;
  void Run(const IntegerConvolutionOperands& operands, int64_t first,
           int64_t count, void* scratch) const override;

 private:
  const IntegerDepthwisePlan plan_;
};

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_INTEGER_DEPTHWISE_H_
