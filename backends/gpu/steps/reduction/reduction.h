// Reductions along any axes.
#ifndef DOVETAIL_BACKENDS_GPU_STEPS_REDUCTION_REDUCTION_H_
#define DOVETAIL_BACKENDS_GPU_STEPS_REDUCTION_REDUCTION_H_

#include "absl/status/statusor.h"
#include "dovetail/backends/gpu/compiler/plan_builder.h"

namespace dovetail::gpu {

// ReduceSum and its like of f32 and of integers, ReduceLogicalAnd and Or. Axes
// are constants.
absl::StatusOr<bool> EmitReduction(const Node& node, PlanBuilder& builder);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_STEPS_REDUCTION_REDUCTION_H_
