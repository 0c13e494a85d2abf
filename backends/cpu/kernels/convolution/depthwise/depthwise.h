// Convolutions of each channel by itself, on tensors in blocks of 8 channels:
// [N, C / 8, H, W, 8]. For windows of any extent and dilation.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_CONVOLUTION_DEPTHWISE_DEPTHWISE_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_CONVOLUTION_DEPTHWISE_DEPTHWISE_H_

#include <cstdint>

#include "dovetail/backends/cpu/kernels/convolution/operands.h"
#include "dovetail/backends/cpu/kernels/convolution/window_axis.h"

namespace dovetail::cpu {

struct DepthwiseShape {
  int64_t batch = 1;
  int64_t blocks = 1;  // of channels; the last one is padded with zeros
  WindowAxis rows, columns;

  int64_t row_count() const { return batch * blocks * rows.output; }
};

// Computes `count` rows of the output, of all N * C / 8 * H, from number
// `first` on. Weights are [blocks, kernel rows, kernel columns, 8].
void ConvolveDepthwiseRows(const DepthwiseShape& shape,
                           const ConvolutionOperands& operands, int64_t first,
                           int64_t count);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_CONVOLUTION_DEPTHWISE_DEPTHWISE_H_
