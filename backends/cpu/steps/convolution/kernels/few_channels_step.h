// Convolutions that read few channels, such as the first ones of networks of
// images, where that is faster than oneDNN.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_CONVOLUTION_KERNELS_FEW_CHANNELS_STEP_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_CONVOLUTION_KERNELS_FEW_CHANNELS_STEP_H_

#include "absl/status/statusor.h"
#include "dovetail/backends/cpu/compiler/kernel_list.h"
#include "dovetail/backends/cpu/steps/convolution/problem.h"

namespace dovetail::cpu {

// Declines, with the reason, what the kernel does not do or is slower for.
absl::StatusOr<KernelOffer> TryFewChannels(const ConvolutionProblem& problem,
                                           const PlanBuilder& builder);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_CONVOLUTION_KERNELS_FEW_CHANNELS_STEP_H_
