// Convolutions, transposed ones too, as sums over windows of the data.
//
// A transposed convolution of stride s is s convolutions of stride 1 along an
// axis: the results whose positions have the same remainder by s are sums of
// the same elements of its window.
#ifndef DOVETAIL_BACKENDS_GPU_STEPS_CONVOLUTION_COMMON_PHASES_H_
#define DOVETAIL_BACKENDS_GPU_STEPS_CONVOLUTION_COMMON_PHASES_H_

#include <array>
#include <cstdint>
#include <vector>

#include "dovetail/core/ops/common/window.h"

namespace dovetail::gpu {

// Along an axis: result number first_output + i * output_step, for i below
// `count`, is the sum over t below `taps` of element first_tap + t * tap_step
// of the window with element start + i * stride + t * dilation of the data,
// which is 0 where there is none.
struct AxisPhase {
  int64_t taps = 1, first_tap = 0, tap_step = 1;
  int64_t start = 0, stride = 1, dilation = 1;
  int64_t count = 1, first_output = 0, output_step = 1;
};

std::vector<AxisPhase> AxisPhases(const WindowAxis& axis, bool transposed);

// Elements that windows reach before the data and after it.
struct AxisPadding {
  int64_t before = 0, after = 0;
};
AxisPadding PaddingOf(const std::vector<AxisPhase>& phases, int64_t data);

// Depth, rows and columns.
using Phase = std::array<AxisPhase, 3>;

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_STEPS_CONVOLUTION_COMMON_PHASES_H_
