// Transposed convolutions whose windows neither overlap nor leave gaps, with
// few outputs: oneDNN computes whole blocks of them.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_CONVOLUTION_KERNELS_TRANSPOSED_PIXEL_TILES_STEP_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_CONVOLUTION_KERNELS_TRANSPOSED_PIXEL_TILES_STEP_H_

#include "absl/status/statusor.h"
#include "dovetail/backends/cpu/compiler/kernel_list.h"
#include "dovetail/backends/cpu/steps/convolution/problem.h"

namespace dovetail::cpu {

// Declines, with the reason, what the kernel does not do or is slower for.
absl::StatusOr<KernelOffer> TryPixelTiles(const ConvolutionProblem& problem,
                                          const PlanBuilder& builder);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_CONVOLUTION_KERNELS_TRANSPOSED_PIXEL_TILES_STEP_H_
