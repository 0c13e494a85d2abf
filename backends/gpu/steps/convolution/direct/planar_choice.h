// Which convolutions are computed in rows of planar data, without blocks of
// channels that would be empty for the most part.
#ifndef DOVETAIL_BACKENDS_GPU_STEPS_CONVOLUTION_DIRECT_PLANAR_CHOICE_H_
#define DOVETAIL_BACKENDS_GPU_STEPS_CONVOLUTION_DIRECT_PLANAR_CHOICE_H_

#include "dovetail/backends/gpu/compiler/plan_builder.h"
#include "dovetail/backends/gpu/steps/convolution/common/problem.h"

namespace dovetail::gpu {

// Whether the result has few channels, and its rows are vectors of neighbors.
bool HasFewOutputs(const ConvolutionProblem& problem, int lanes);

// Whether a convolution of planar data writes planar `result`, which is its
// own or its epilogue's: where only convolutions read it, as a result of few
// channels or to compute few.
bool WritesPlanar(const ConvolutionProblem& problem, Value result,
                  const PlanBuilder& builder);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_STEPS_CONVOLUTION_DIRECT_PLANAR_CHOICE_H_
