// Convolutions by primitives of oneDNN, with what follows as their
// post-operations.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_CONVOLUTION_ONEDNN_ONEDNN_STEP_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_CONVOLUTION_ONEDNN_ONEDNN_STEP_H_

#include "absl/status/statusor.h"
#include "dovetail/backends/cpu/compiler/kernel_list.h"
#include "dovetail/backends/cpu/steps/convolution/problem.h"

namespace dovetail::cpu {

// Floats, multiplied in the narrower type of the settings by generated code.
// Declines, with the reason, where there is none.
absl::StatusOr<KernelOffer> TryNarrowPrimitive(
    const ConvolutionProblem& problem, const PlanBuilder& builder);

// The problem's own types; a fallback where oneDNN calls general code for
// floats. Declines what oneDNN does not have.
absl::StatusOr<KernelOffer> TryPrimitive(const ConvolutionProblem& problem,
                                         const PlanBuilder& builder);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_CONVOLUTION_ONEDNN_ONEDNN_STEP_H_
