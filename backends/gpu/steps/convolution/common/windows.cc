#include "dovetail/backends/gpu/steps/convolution/common/windows.h"

namespace dovetail::gpu {

Windows WindowsOf(const ConvolutionProblem& problem) {
  Windows windows;
  for (int i = 0; i < 3; ++i) {
    const WindowAxis& axis = problem.axes[i];
    windows.phases[i] = AxisPhases(axis, problem.transposed);
    windows.data[i] = problem.transposed ? axis.output : axis.input;
    windows.results[i] = problem.transposed ? axis.input : axis.output;
    windows.padding[i] = PaddingOf(windows.phases[i], windows.data[i]);
  }
  return windows;
}

}  // namespace dovetail::gpu
