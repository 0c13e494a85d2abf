// Windows over planes as arguments of launches.
#ifndef DOVETAIL_BACKENDS_GPU_STEPS_COMMON_WINDOW_ARGUMENTS_H_
#define DOVETAIL_BACKENDS_GPU_STEPS_COMMON_WINDOW_ARGUMENTS_H_

#include <array>

#include "dovetail/backends/gpu/compiler/plan_builder.h"
#include "dovetail/core/ops/common/window.h"

namespace dovetail::gpu {

using WindowAxes = std::array<WindowAxis, 2>;  // rows, columns

// Windows of a kernel [.., .., h, w] over data [N, C, H, W].
WindowAxes PlaneWindows(const SlidingWindow& window, const Shape& data,
                        const Shape& kernel, const Shape& output);

// Whether AddWindows can say them; places themselves may need 64 bits.
bool FitInts(const WindowAxes& axes);

// extent_y, window_y, stride_y, dilation_y, pad_y and positions_y; the same
// for x.
void AddWindows(Launch& launch, const WindowAxes& axes);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_STEPS_COMMON_WINDOW_ARGUMENTS_H_
