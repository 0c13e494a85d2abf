// Convolutions that read few channels, such as the first ones of networks of
// images, where that is faster than oneDNN.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_CONVOLUTION_FEW_CHANNELS_STEP_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_CONVOLUTION_FEW_CHANNELS_STEP_H_

#include "absl/status/statusor.h"
#include "dovetail/backends/cpu/compiler/plan_builder.h"
#include "dovetail/backends/cpu/steps/convolution/problem.h"

namespace dovetail::cpu {

// False: the problem is none for it, and nothing was added.
absl::StatusOr<bool> EmitFewChannels(const ConvolutionProblem& problem,
                                     PlanBuilder& builder);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_CONVOLUTION_FEW_CHANNELS_STEP_H_
