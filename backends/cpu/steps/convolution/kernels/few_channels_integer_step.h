// Convolutions of bytes with few channels, such as pictures, by this backend's
// own kernel.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_CONVOLUTION_KERNELS_FEW_CHANNELS_INTEGER_STEP_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_CONVOLUTION_KERNELS_FEW_CHANNELS_INTEGER_STEP_H_

#include "absl/status/statusor.h"
#include "dovetail/backends/cpu/compiler/kernel_list.h"
#include "dovetail/backends/cpu/steps/convolution/problem.h"

namespace dovetail::cpu {

// By FewChannelsIntegerMethod, from planar data to channels last.
absl::StatusOr<KernelOffer> TryFewChannelsInteger(
    const ConvolutionProblem& problem, const PlanBuilder& builder);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_CONVOLUTION_KERNELS_FEW_CHANNELS_INTEGER_STEP_H_
