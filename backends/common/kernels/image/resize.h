// Interpolate over height and width on f32 and u8.
//
// What an element of the output is made of along one axis is a table of taps,
// so that one kernel does for all modes: one tap for nearest, two for linear,
// four for cubic, more where it shrinks with antialiasing.
#ifndef DOVETAIL_BACKENDS_COMMON_KERNELS_IMAGE_RESIZE_H_
#define DOVETAIL_BACKENDS_COMMON_KERNELS_IMAGE_RESIZE_H_

#include <cstdint>

#include "dovetail/backends/common/kernels/image/resize_taps.h"

namespace dovetail::host {

// Images {planes, in_rows, in_columns, channels}, planar with one channel, else
// channels last or blocked, to {planes, rows.output(), columns.output(),
// channels}. Refers to the taps.
struct ResizeProblem {
  int64_t in_rows, in_columns, channels;
  const ResizeTaps& rows;
  const ResizeTaps& columns;
};

// Rows [begin, end) of the planes * rows.output() rows of the output; any
// ranges may run at once.
void Resize(const ResizeProblem& problem, const float* in, float* out,
            int64_t begin, int64_t end);
// The same for bytes, of one channel: sums are f32, rounded to the nearest
// (halves to even) once both axes are added up, and cut to 0 to 255.
void Resize(const ResizeProblem& problem, const uint8_t* in, uint8_t* out,
            int64_t begin, int64_t end);

}  // namespace dovetail::host

#endif  // DOVETAIL_BACKENDS_COMMON_KERNELS_IMAGE_RESIZE_H_
