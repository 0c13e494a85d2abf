// Images as the sums of their patches, of f32: the transpose of cutting an
// image into patches.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_IMAGE_SUM_PATCHES_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_IMAGE_SUM_PATCHES_H_

#include <cstdint>

#include "dovetail/backends/cpu/kernels/convolution/window_axis.h"

namespace dovetail::cpu {

// The image is what windows slide over: an axis' input, and `output` positions.
struct PatchesShape {
  int64_t planes = 1;  // batch times channels
  WindowAxis rows, columns;

  int64_t elements() const { return rows.kernel * columns.kernel; }
  int64_t positions() const { return rows.output * columns.output; }
  int64_t image() const { return rows.input * columns.input; }
};

// Planes [begin, end) of images [planes, rows, columns], from patches [planes,
// elements, positions].
void SumPatches(const PatchesShape& shape, const float* patches, int64_t begin,
                int64_t end, float* images);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_IMAGE_SUM_PATCHES_H_
