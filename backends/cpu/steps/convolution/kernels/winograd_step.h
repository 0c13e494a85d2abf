// Dense convolutions of stride 1 by Winograd's algorithm, where that is faster
// than oneDNN, which multiplies directly.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_CONVOLUTION_KERNELS_WINOGRAD_STEP_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_CONVOLUTION_KERNELS_WINOGRAD_STEP_H_

#include "absl/status/statusor.h"
#include "dovetail/backends/cpu/compiler/kernel_list.h"
#include "dovetail/backends/cpu/steps/convolution/problem.h"

namespace dovetail::cpu {

// Declines, with the reason, what the kernel does not do or is slower for.
absl::StatusOr<KernelOffer> TryWinograd(const ConvolutionProblem& problem,
                                        const PlanBuilder& builder);

// The same of tensors of bf16, which are multiplied as f32: by dot products of
// bf16, twice as many a cycle, a direct convolution has more than twice as many
// to do. Tiles (AMX) leave nothing for it.
absl::StatusOr<KernelOffer> TryNarrowWinograd(const ConvolutionProblem& problem,
                                              const PlanBuilder& builder);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_CONVOLUTION_KERNELS_WINOGRAD_STEP_H_
