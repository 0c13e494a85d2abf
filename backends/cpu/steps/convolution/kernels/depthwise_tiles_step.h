// Convolutions of each channel by itself with large windows, of one or two
// axes. In f32, also where bf16 is asked for and oneDNN has general code alone.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_CONVOLUTION_KERNELS_DEPTHWISE_TILES_STEP_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_CONVOLUTION_KERNELS_DEPTHWISE_TILES_STEP_H_

#include "absl/status/statusor.h"
#include "dovetail/backends/cpu/compiler/kernel_list.h"
#include "dovetail/backends/cpu/steps/convolution/problem.h"

namespace dovetail::cpu {

// Declines, with the reason, what the kernel does not do or is slower for.
absl::StatusOr<KernelOffer> TryDepthwiseTiles(const ConvolutionProblem& problem,
                                              const PlanBuilder& builder);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_CONVOLUTION_KERNELS_DEPTHWISE_TILES_STEP_H_
