// A convolution as kernels see it.
#ifndef DOVETAIL_BACKENDS_GPU_STEPS_CONVOLUTION_COMMON_PROBLEM_H_
#define DOVETAIL_BACKENDS_GPU_STEPS_CONVOLUTION_COMMON_PROBLEM_H_

#include <array>
#include <cstdint>
#include <optional>

#include "dovetail/backends/gpu/compiler/plan_builder.h"
#include "dovetail/core/ops/common/window.h"

namespace dovetail::gpu {

struct ConvolutionProblem {
  const Node* node = nullptr;
  bool transposed = false;  // ConvolutionBackpropData and the same of groups
  Value data, weights;
  Shape source, result;
  int64_t batch = 1, groups = 1;
  int64_t inputs = 1, outputs = 1;  // channels of a group
  // Depth, rows and columns; missing ones are windows of one element over one.
  // Of a transposed one they are those of the convolution whose gradient it
  // is: `input` is the result's extent, and `output` the data's.
  std::array<WindowAxis, 3> axes;
  // How far apart elements of the weights are from one group, output channel
  // and input channel to the next; the window's are dense.
  int64_t group_stride = 0, output_stride = 0, input_stride = 0;

  // Elements of the window.
  int64_t taps() const {
    return axes[0].kernel * axes[1].kernel * axes[2].kernel;
  }
};

// Whether a node is a Convolution, GroupConvolution, ConvolutionBackpropData or
// GroupConvolutionBackpropData.
bool IsConvolution(const Node& node);

// Of such a node.
std::optional<ConvolutionProblem> ConvolutionProblemOf(const Node& node);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_STEPS_CONVOLUTION_COMMON_PROBLEM_H_
