// Dense convolutions of stride 1 by Winograd's algorithm, where that is faster
// than oneDNN, which multiplies directly.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_CONVOLUTION_WINOGRAD_STEP_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_CONVOLUTION_WINOGRAD_STEP_H_

#include "absl/status/statusor.h"
#include "dovetail/backends/cpu/compiler/plan_builder.h"
#include "dovetail/backends/cpu/steps/convolution/problem.h"

namespace dovetail::cpu {

// False: the problem is none for it, and nothing was added.
absl::StatusOr<bool> EmitWinograd(const ConvolutionProblem& problem,
                                  PlanBuilder& builder);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_CONVOLUTION_WINOGRAD_STEP_H_
