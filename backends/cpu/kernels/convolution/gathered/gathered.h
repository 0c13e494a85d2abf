// Convolutions as matrix products of gathered windows: what the windows of a
// run of pixels read is put side by side, some channels at a time, and
// multiplied with the weights of one group of outputs after the other. All
// weights are read once for each run, however few pixels there are, while the
// next are fetched. On tensors in blocks of 8 channels.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_CONVOLUTION_GATHERED_GATHERED_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_CONVOLUTION_GATHERED_GATHERED_H_

#include <cstdint>

#include "dovetail/backends/cpu/kernels/convolution/operands.h"
#include "dovetail/backends/cpu/kernels/convolution/window_axis.h"

namespace dovetail::cpu {

struct GatheredShape {
  static constexpr int64_t kLanes = 8;  // channels of a block

  int64_t batch = 1;
  int64_t inputs = 0, outputs = 0;  // channels
  WindowAxis rows, columns;

  // What a window reads, in vectors of a block's channels: block by block.
  int64_t taps() const { return rows.kernel * columns.kernel; }
  int64_t input_blocks() const { return (inputs + kLanes - 1) / kLanes; }
  int64_t output_blocks() const { return (outputs + kLanes - 1) / kLanes; }
  int64_t vectors() const { return input_blocks() * taps(); }
  int64_t pixels() const { return rows.output * columns.output; }
  // Whether windows read what lies side by side already.
  bool is_gathered() const;
};

// A part of the work: pixels of an image, and groups of outputs.
struct GatheredPart {
  int64_t image = 0;
  int64_t first_pixel = 0, pixels = 0;
  int64_t first_group = 0, groups = 0;
};

// Groups of output channels that can be computed apart from each other.
int64_t GatheredGroups(const GatheredShape& shape);

// Floats of packed weights.
int64_t GatheredWeightsSize(const GatheredShape& shape);
// From [outputs, inputs, kernel rows, kernel columns], row-major.
void PackGatheredWeights(const GatheredShape& shape, const float* weights,
                         float* packed);

// Floats that a thread needs for such a part.
int64_t GatheredScratchSize(const GatheredShape& shape,
                            const GatheredPart& part);

// From the input [batch, blocks, height, width, 8] to an output of the same
// form. `scratch` and the weights are aligned to 64 bytes. Needs vectors of 8
// floats (HasWideVectors).
void ConvolveGathered(const GatheredShape& shape, const GatheredPart& part,
                      const ConvolutionOperands& operands, float* scratch);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_CONVOLUTION_GATHERED_GATHERED_H_
