// Transposed convolutions of f32 in groups of channels, on tensors in blocks of
// 8 channels: [N, C / 8, H, W, 8]. For windows of any extent, stride and
// dilation.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_CONVOLUTION_TRANSPOSED_TRANSPOSED_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_CONVOLUTION_TRANSPOSED_TRANSPOSED_H_

#include <cstdint>

#include "dovetail/backends/cpu/kernels/convolution/operands.h"
#include "dovetail/backends/cpu/kernels/convolution/window_axis.h"

namespace dovetail::cpu {

struct TransposedShape {
  int64_t batch = 1;
  int64_t groups = 1;
  int64_t inputs = 1, outputs = 1;  // channels of a group
  // Element i of the input goes to the elements i * stride - pad + k * dilation
  // of the output, k < kernel, as far as there are such.
  WindowAxis rows, columns;

  int64_t taps() const { return rows.kernel * columns.kernel; }
  int64_t input_blocks() const;
  int64_t output_blocks() const;
  int64_t row_count() const { return batch * output_blocks() * rows.output; }
  // Channels [begin, end) are what the outputs of a block are made of: those of
  // all groups that these belong to.
  struct Channels {
    int64_t begin, end;
  };
  Channels InputsOf(int64_t block) const;
  // How many there are at most.
  int64_t width() const;
  // One channel in, one out: each output is made of the input beside it.
  bool is_depthwise() const { return inputs == 1 && outputs == 1; }
};

// Floats of packed weights.
int64_t PackedTransposedWeights(const TransposedShape& shape);

// From [groups, inputs, outputs, taps] to [blocks, taps, width, 8], with zeros
// where input and output are of different groups; depthwise to
// [blocks, taps, 8].
void PackTransposedWeights(const TransposedShape& shape, const float* from,
                           float* to);

// Computes `count` rows of the output, of all N * C / 8 * H, from number
// `first` on.
void ConvolveTransposedRows(const TransposedShape& shape,
                            const ConvolutionOperands& operands, int64_t first,
                            int64_t count);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_CONVOLUTION_TRANSPOSED_TRANSPOSED_H_
