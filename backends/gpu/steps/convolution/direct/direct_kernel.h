// The text of the kernel that computes dense convolutions.
#ifndef DOVETAIL_BACKENDS_GPU_STEPS_CONVOLUTION_DIRECT_DIRECT_KERNEL_H_
#define DOVETAIL_BACKENDS_GPU_STEPS_CONVOLUTION_DIRECT_DIRECT_KERNEL_H_

#include <cstdint>
#include <string>

#include "dovetail/core/tensor/types/element_type.h"

namespace dovetail::gpu {

// A work item computes `pixels` neighbors of a row, each with `vectors` vectors
// of `lanes` output channels, in registers.
struct DirectBlock {
  int lanes = 16, vectors = 2, pixels = 14;
  int stride = 1;           // of windows along a row
  int input_channels = 16;  // side by side in the data: 16, or 1 if planar
  ElementType data = ElementType::kF32;    // as it is stored, or f16
  ElementType stored = ElementType::kF32;  // the result, or f16
  // As they are stored, or codes of i8 or u8; these have a scale, and with
  // `has_zeros` a zero point, for each output channel.
  ElementType weights = ElementType::kF32;
  bool has_zeros = false;
  // Of several of the model's groups: an output channel takes no part of the
  // other groups' data, which may be infinite, where its weight is zero.
  bool is_merged = false;
  // Not 0: those groups have so many inputs and as many outputs, a divisor of
  // 16, and weights only for these. With one vector of 16 lanes.
  int own_inputs = 0;

  int channels() const { return lanes * vectors; }
  // Input channels that have weights.
  int weight_inputs() const {
    return own_inputs > 0 ? own_inputs : input_channels;
  }
};

// The ints of the kernel, in order. Distances are in floats.
struct DirectSizes {
  // Of the result: pixels of a row, rows, and rows of all planes of an image.
  int64_t width, height, depth;
  // Channels of all groups, and of one; work items of a group.
  int64_t channels, group_channels, items;
  // 1: work items of groups are the range's first dimension, not its last.
  int64_t channels_first;
  // Blocks of 16 input channels, channels of the last one, a multiple of 4,
  // and elements of the window.
  int64_t blocks, last_block, taps_z, taps_y, taps_x;
  // On processors: lines of the next item's weights that a tile asks for with
  // each element of its window, so that all tiles together ask for all.
  int64_t ahead_lines;
  // In the data, from one to the next: image, group, block of channels, plane,
  // row; elements of the window; and where the first window begins.
  int64_t x_image, x_group, x_block, x_z, x_y;
  int64_t x_tap_z, x_tap_y, x_tap_x, x_start;
  // In the result: image, block of 16 channels, plane, row, pixel; the first.
  int64_t y_image, y_block, y_z, y_y, y_x, y_start;
};

// Elements of a line of a processor's cache.
int LineElements(ElementType type);

// Where `is_merged`, the ints group_inputs and group_outputs come after these:
// channels of a group of the model.

// Text of the body. Its range: blocks of a row; rows of all images; work items
// of all groups; or these in the opposite order. Its buffers: x, w, of codes s
// (scales) and z (zero points), [item, channel], y and those of `epilogue`, a
// text of ProductEpilogue's. Rows are at least as wide as a block: the last one
// of a row begins earlier, and computes some pixels again.
std::string DirectBody(const DirectBlock& block, const std::string& epilogue);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_STEPS_CONVOLUTION_DIRECT_DIRECT_KERNEL_H_
