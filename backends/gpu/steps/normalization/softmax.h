// Softmax and LogSoftmax.
#ifndef DOVETAIL_BACKENDS_GPU_STEPS_NORMALIZATION_SOFTMAX_H_
#define DOVETAIL_BACKENDS_GPU_STEPS_NORMALIZATION_SOFTMAX_H_

#include "absl/status/statusor.h"
#include "dovetail/backends/gpu/compiler/plan_builder.h"

namespace dovetail::gpu {

// Of f32, along any axis.
absl::StatusOr<bool> EmitSoftmax(const Node& node, PlanBuilder& builder);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_STEPS_NORMALIZATION_SOFTMAX_H_
