// GridSample.
#ifndef DOVETAIL_BACKENDS_GPU_STEPS_IMAGE_GRID_SAMPLE_H_
#define DOVETAIL_BACKENDS_GPU_STEPS_IMAGE_GRID_SAMPLE_H_

#include "absl/status/statusor.h"
#include "dovetail/backends/gpu/compiler/plan_builder.h"

namespace dovetail::gpu {

// Of f32, with a grid of f32.
absl::StatusOr<bool> EmitGridSample(const Node& node, PlanBuilder& builder);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_STEPS_IMAGE_GRID_SAMPLE_H_
