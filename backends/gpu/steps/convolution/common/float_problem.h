// Convolutions of f32 by weights that kernels may pack.
#ifndef DOVETAIL_BACKENDS_GPU_STEPS_CONVOLUTION_COMMON_FLOAT_PROBLEM_H_
#define DOVETAIL_BACKENDS_GPU_STEPS_CONVOLUTION_COMMON_FLOAT_PROBLEM_H_

#include <optional>

#include "dovetail/backends/gpu/steps/convolution/common/problem.h"

namespace dovetail::gpu {

// By constants, or weight expressions (backends/common/linear). Nothing: it is
// of another type, or weights are computed from inputs, or not dense.
std::optional<ConvolutionProblem> FloatProblemOf(const Node& node);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_STEPS_CONVOLUTION_COMMON_FLOAT_PROBLEM_H_
