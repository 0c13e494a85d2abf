// What the windows of a deformable convolution read, put side by side, so that
// the convolution is a product of matrices.
#ifndef DOVETAIL_BACKENDS_COMMON_KERNELS_IMAGE_DEFORMABLE_COLUMNS_H_
#define DOVETAIL_BACKENDS_COMMON_KERNELS_IMAGE_DEFORMABLE_COLUMNS_H_

#include <cstdint>

#include "dovetail/core/ops/common/window.h"

namespace dovetail::host {

// Channels are divided into groups twice: by the weights that they meet, and by
// the offsets at which they are read.
struct DeformableShape {
  WindowAxis y, x;
  int64_t channels = 1;
  int64_t groups = 1;
  int64_t offset_groups = 1;
  // Whether places up to one element outside of the input blend with zeros,
  // instead of being zero themselves.
  bool blends_with_zeros = false;

  int64_t taps() const { return y.kernel * x.kernel; }
  int64_t pixels() const { return y.output * x.output; }  // of the output
  int64_t group_channels() const { return channels / groups; }
  // Numbers that a pixel of the output reads.
  int64_t column_size() const { return channels * taps(); }
};

// Of one image.
struct DeformableImage {
  const float* data = nullptr;     // {y.input, x.input, channels}
  const float* offsets = nullptr;  // {offset_groups, taps, 2, pixels}: y, x
  // {offset_groups, taps, pixels}; null: all are 1.
  const float* mask = nullptr;
  // As many as channels of an offset group: what is read outside of the image.
  const float* zeros = nullptr;
};

// For each of the output pixels [first, first + count) its column {groups,
// taps, channels of a group}: bilinear between four neighbours, times the mask.
// Offsets may be any numbers or none.
void SampleColumns(const DeformableShape& shape, const DeformableImage& image,
                   int64_t first, int64_t count, float* columns);

}  // namespace dovetail::host

#endif  // DOVETAIL_BACKENDS_COMMON_KERNELS_IMAGE_DEFORMABLE_COLUMNS_H_
