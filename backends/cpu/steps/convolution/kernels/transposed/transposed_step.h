// Transposed convolutions for which oneDNN has general code only, or code for
// other convolutions.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_CONVOLUTION_KERNELS_TRANSPOSED_TRANSPOSED_STEP_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_CONVOLUTION_KERNELS_TRANSPOSED_TRANSPOSED_STEP_H_

#include "absl/status/statusor.h"
#include "dovetail/backends/cpu/compiler/kernel_list.h"
#include "dovetail/backends/cpu/steps/convolution/problem.h"

namespace dovetail::cpu {

// Of f32, in one or two axes, whatever else is to be computed in; after all
// that is generated.
absl::StatusOr<KernelOffer> TryTransposed(const ConvolutionProblem& problem,
                                          const PlanBuilder& builder);

// The same where groups have few channels, which oneDNN computes one group
// after the other, or one, behind which it computes what follows in plain
// loops.
absl::StatusOr<KernelOffer> TryTransposedGroups(
    const ConvolutionProblem& problem, const PlanBuilder& builder);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_CONVOLUTION_KERNELS_TRANSPOSED_TRANSPOSED_STEP_H_
