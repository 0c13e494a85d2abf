// Transposed convolutions whose windows neither overlap nor leave gaps: every
// pixel of the input becomes a tile of results. On planar tensors, for few
// outputs.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_CONVOLUTION_TRANSPOSED_PIXEL_TILES_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_CONVOLUTION_TRANSPOSED_PIXEL_TILES_H_

#include <cstdint>

#include "dovetail/backends/cpu/kernels/convolution/operands.h"

namespace dovetail::cpu {

struct PixelTilesShape {
  static constexpr int64_t kMinColumns = 2, kMaxColumns = 4;
  static constexpr int64_t kMaxInputs = 64;

  int64_t batch = 1;
  int64_t inputs = 1, outputs = 1;  // channels; kMaxInputs of the input
  int64_t height = 1, width = 1;    // of the input
  // Of a tile; columns are within the limits above.
  int64_t rows = 1, columns = 2;

  int64_t row_count() const { return batch * height; }
  int64_t weights() const { return inputs * outputs * rows * columns; }
};

// From [inputs, outputs, rows, columns], `shape.weights()` floats.
void PackPixelTiles(const PixelTilesShape& shape, const float* weights,
                    float* packed);

// Computes what `count` rows of the input [batch, inputs, height, width] become
// in the output [batch, outputs, height * rows, width * columns], of all
// batch * height, from number `first` on. Weights are those of PackPixelTiles;
// there is no residual.
void ConvolvePixelTiles(const PixelTilesShape& shape,
                        const ConvolutionOperands& operands, int64_t first,
                        int64_t count);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_CONVOLUTION_TRANSPOSED_PIXEL_TILES_H_
