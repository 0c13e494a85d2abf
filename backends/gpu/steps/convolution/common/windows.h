// Where the windows of a convolution are.
#ifndef DOVETAIL_BACKENDS_GPU_STEPS_CONVOLUTION_COMMON_WINDOWS_H_
#define DOVETAIL_BACKENDS_GPU_STEPS_CONVOLUTION_COMMON_WINDOWS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "dovetail/backends/gpu/steps/convolution/common/phases.h"
#include "dovetail/backends/gpu/steps/convolution/common/problem.h"

namespace dovetail::gpu {

// Of depth, rows and columns each.
struct Windows {
  std::array<std::vector<AxisPhase>, 3> phases;
  std::array<AxisPadding, 3> padding;
  std::array<int64_t, 3> data = {1, 1, 1}, results = {1, 1, 1};  // extents

  // Of all axes together.
  size_t phase_count() const {
    return phases[0].size() * phases[1].size() * phases[2].size();
  }
};

Windows WindowsOf(const ConvolutionProblem& problem);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_STEPS_CONVOLUTION_COMMON_WINDOWS_H_
