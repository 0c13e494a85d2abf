// Which elements of an image GridSample reads, and what they weigh.
#ifndef DOVETAIL_BACKENDS_COMMON_KERNELS_IMAGE_GRID_TAPS_H_
#define DOVETAIL_BACKENDS_COMMON_KERNELS_IMAGE_GRID_TAPS_H_

#include <cstdint>

#include "dovetail/core/ops/image/resize/grid_sample.h"

namespace dovetail::host {

// Points whose taps are found at a time.
inline constexpr int64_t kGridPoints = 256;

// How one axis of the image is read.
struct GridAxis {
  GridSampleMode mode = GridSampleMode::kBilinear;
  GridSamplePadding padding = GridSamplePadding::kZeros;
  bool align_corners = false;
  int64_t extent = 1;  // below kMaxGridExtent
  int64_t stride = 1;  // what indices are multiplied by

  // Along the axis, of each point.
  int taps() const {
    return mode == GridSampleMode::kNearest    ? 1
           : mode == GridSampleMode::kBilinear ? 2
                                               : 4;
  }
};

// Numbers of elements have to be exact in f32.
inline constexpr int64_t kMaxGridExtent = int64_t{1} << 24;

// Tap t of point i is number indices[t][i], always one of the axis, times the
// stride. Of those that count as zeros the weight is 0.
struct alignas(64) GridTaps {
  int32_t indices[4][kGridPoints];
  float weights[4][kGridPoints];
};

// For `count` coordinates, at most kGridPoints, in memory for all of these: up
// to the next multiple of 16 they are read, and have taps, too. They may be any
// numbers; one that is none counts as 0. Indices fit 32 bits.
void FindGridTaps(const GridAxis& axis, const float* coordinates, int64_t count,
                  GridTaps& taps);

}  // namespace dovetail::host

#endif  // DOVETAIL_BACKENDS_COMMON_KERNELS_IMAGE_GRID_TAPS_H_
