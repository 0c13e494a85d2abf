// Poolings.
#ifndef DOVETAIL_BACKENDS_GPU_STEPS_POOLING_POOLING_H_
#define DOVETAIL_BACKENDS_GPU_STEPS_POOLING_POOLING_H_

#include "absl/status/statusor.h"
#include "dovetail/backends/gpu/compiler/plan_builder.h"

namespace dovetail::gpu {

// MaxPool and AdaptiveMaxPool of f32 and of integers, with indices or without;
// means of f32. Up to three spatial axes.
absl::StatusOr<bool> EmitMaxPool(const Node& node, PlanBuilder& builder);
absl::StatusOr<bool> EmitAvgPool(const Node& node, PlanBuilder& builder);
absl::StatusOr<bool> EmitAdaptivePool(const Node& node, PlanBuilder& builder);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_STEPS_POOLING_POOLING_H_
