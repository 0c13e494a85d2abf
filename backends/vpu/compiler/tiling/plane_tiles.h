// How an extent of a plane is cut into tiles, and which input each needs.
#ifndef DOVETAIL_BACKENDS_VPU_COMPILER_TILING_PLANE_TILES_H_
#define DOVETAIL_BACKENDS_VPU_COMPILER_TILING_PLANE_TILES_H_

#include <cstdint>
#include <vector>

#include "dovetail/backends/vpu/compiler/tiling/hw_mode.h"

namespace dovetail::vpu {

// One extent, rows or columns, of a window that slides: `before` and `after`
// are pixels of padding.
struct PlaneAxis {
  int64_t input = 1, output = 1;
  int64_t kernel = 1, stride = 1;
  int64_t before = 0, after = 0;
};

// The rows and columns of a convolution or pooling, with as much padding as the
// outputs need. A convolution with a pool is one window over both.
PlaneAxis RowsOf(const ConvShape& shape);
PlaneAxis ColumnsOf(const ConvShape& shape);

// Whether an engine adds this padding of a convolution itself: none, or half
// the window.
bool PadsConvolution(const PlaneAxis& axis);
// The same of a pooling, which also takes padding at one end; not with an even
// window over an odd extent.
bool PadsPool(const PlaneAxis& axis);

// What an engine computes at once. It pads each tile at both ends, so that
// outputs inside a plane that such padding reaches are junk, which is cut off.
struct PlaneTile {
  int64_t in_begin = 0, in_end = 0;
  int64_t out_begin = 0, out_end = 0;
  int64_t computed = 0;  // outputs, junk included

  int64_t input() const { return in_end - in_begin; }
  int64_t output() const { return out_end - out_begin; }
};

// Outputs of so many pixels of input; with `ceil`, the last window may stick
// out.
int64_t OutputsOf(const PlaneAxis& axis, int64_t input, bool ceil);

// Tiles that compute at most so many outputs each, junk included; a whole axis
// is one tile without junk. Empty where junk leaves no room for outputs.
std::vector<PlaneTile> CutAxis(const PlaneAxis& axis, int64_t most_outputs);
// The same for a convolution with a pool: an odd number of outputs each, as the
// compiler cuts them, of which those beside another tile are junk.
std::vector<PlaneTile> CutPooledAxis(const PlaneAxis& axis,
                                     int64_t most_outputs);

}  // namespace dovetail::vpu

#endif  // DOVETAIL_BACKENDS_VPU_COMPILER_TILING_PLANE_TILES_H_
