// Transposed convolutions whose windows neither overlap nor leave gaps: every
// pixel of the input becomes a tile of results, each of which is a matrix
// product of the pixel's channels. On tensors in blocks of 8 channels:
// [N, C / 8, H, W, 8].
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_CONVOLUTION_TRANSPOSED_TRANSPOSED_TILES_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_CONVOLUTION_TRANSPOSED_TRANSPOSED_TILES_H_

#include <cstdint>

#include "dovetail/backends/cpu/kernels/convolution/operands.h"
#include "dovetail/backends/cpu/kernels/convolution/output_group.h"

namespace dovetail::cpu {

struct TransposedTilesShape {
  static constexpr int64_t kLanes = 8;  // channels of a block

  int64_t batch = 1;
  int64_t inputs = 1, outputs = 1;  // channels
  int64_t height = 1, width = 1;    // of the input
  int64_t rows = 1, columns = 1;    // of a tile

  int64_t taps() const { return rows * columns; }
  int64_t input_blocks() const { return (inputs + kLanes - 1) / kLanes; }
  int64_t output_blocks() const { return (outputs + kLanes - 1) / kLanes; }
  // Outputs that are computed together.
  int64_t groups() const { return OutputGroup::Count(output_blocks()); }
  // A row of the input by the weights of a group: the unit of work.
  int64_t items() const { return batch * groups() * height; }
  // Floats of packed weights.
  int64_t packed_weights() const {
    return taps() * input_blocks() * output_blocks() * kLanes * kLanes;
  }
};

// From [inputs, outputs, rows, columns], row-major.
void PackTransposedTiles(const TransposedTilesShape& shape,
                         const float* weights, float* packed);

// Computes `count` items from number `first` on; those of a group follow each
// other, so that its weights stay in a cache. The packed weights are aligned to
// 32 bytes. Needs vectors of 8 floats (HasWideVectors).
void ConvolveTransposedTiles(const TransposedTilesShape& shape,
                             const ConvolutionOperands& operands, int64_t first,
                             int64_t count);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_CONVOLUTION_TRANSPOSED_TRANSPOSED_TILES_H_
