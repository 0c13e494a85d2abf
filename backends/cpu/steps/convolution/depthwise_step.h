// Convolutions of each channel by itself whose windows oneDNN generates no code
// for, such as those of large dilations.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_CONVOLUTION_DEPTHWISE_STEP_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_CONVOLUTION_DEPTHWISE_STEP_H_

#include "absl/status/statusor.h"
#include "dovetail/backends/cpu/compiler/plan_builder.h"
#include "dovetail/backends/cpu/steps/convolution/problem.h"

namespace dovetail::cpu {

// False: the problem is none for it, and nothing was added.
absl::StatusOr<bool> EmitDepthwise(const ConvolutionProblem& problem,
                                   PlanBuilder& builder);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_CONVOLUTION_DEPTHWISE_STEP_H_
