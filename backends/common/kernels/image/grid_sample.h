// GridSample of f32: images read between their elements, wherever a grid says.
#ifndef DOVETAIL_BACKENDS_COMMON_KERNELS_IMAGE_GRID_SAMPLE_H_
#define DOVETAIL_BACKENDS_COMMON_KERNELS_IMAGE_GRID_SAMPLE_H_

#include <cstdint>

#include "dovetail/backends/common/kernels/image/grid_taps.h"

namespace dovetail::host {

// Of one image. Its plane has less than 2^31 elements.
struct GridSampleShape {
  GridAxis rows, columns;  // of which `rows.stride` is the columns' extent
  int64_t channels = 1;
  int64_t points = 1;

  int64_t plane() const { return rows.extent * columns.extent; }
};

// Points [first, first + count), at most kGridPoints of them, of channels
// [begin, end): data {channels, height, width} to {channels, points}. `grid` is
// {points, 2}: x, y.
void GridSamplePlanes(const GridSampleShape& shape, const float* data,
                      const float* grid, int64_t first, int64_t count,
                      int64_t begin, int64_t end, float* out);

// The same of all channels, which lie side by side: data {height, width,
// channels} to {points, channels}.
void GridSamplePixels(const GridSampleShape& shape, const float* data,
                      const float* grid, int64_t first, int64_t count,
                      float* out);

}  // namespace dovetail::host

#endif  // DOVETAIL_BACKENDS_COMMON_KERNELS_IMAGE_GRID_SAMPLE_H_
