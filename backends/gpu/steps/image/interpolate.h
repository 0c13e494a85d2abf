// Interpolate.
#ifndef DOVETAIL_BACKENDS_GPU_STEPS_IMAGE_INTERPOLATE_H_
#define DOVETAIL_BACKENDS_GPU_STEPS_IMAGE_INTERPOLATE_H_

#include "absl/status/statusor.h"
#include "dovetail/backends/gpu/compiler/plan_builder.h"

namespace dovetail::gpu {

// All modes of f32, over up to three axes that lie side by side; nearest of any
// type. Scales and axes are constants.
absl::StatusOr<bool> EmitInterpolate(const Node& node, PlanBuilder& builder);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_STEPS_IMAGE_INTERPOLATE_H_
