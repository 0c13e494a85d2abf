// Transposed convolutions whose windows neither overlap nor leave gaps, with
// few outputs: oneDNN computes whole blocks of them.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_CONVOLUTION_PIXEL_TILES_STEP_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_CONVOLUTION_PIXEL_TILES_STEP_H_

#include "absl/status/statusor.h"
#include "dovetail/backends/cpu/compiler/plan_builder.h"
#include "dovetail/backends/cpu/steps/convolution/problem.h"

namespace dovetail::cpu {

// Whether EmitPixelTiles takes the problem.
bool IsForPixelTiles(const ConvolutionProblem& problem,
                     const PlanBuilder& builder);

// False: the problem is none for it, and nothing was added.
absl::StatusOr<bool> EmitPixelTiles(const ConvolutionProblem& problem,
                                    PlanBuilder& builder);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_CONVOLUTION_PIXEL_TILES_STEP_H_
