// MatMul.
#ifndef DOVETAIL_BACKENDS_GPU_STEPS_LINEAR_MATMUL_H_
#define DOVETAIL_BACKENDS_GPU_STEPS_LINEAR_MATMUL_H_

#include "dovetail/backends/gpu/compiler/emitter.h"

namespace dovetail::gpu {

// Of f32: register blocks over panels of the second factor, which may be a
// weight expression (backends/common/linear), as compressed weights are.
absl::StatusOr<bool> EmitMatMul(const Node& node, PlanBuilder& builder);

// Of any type, an element of the result in a work item.
absl::StatusOr<bool> EmitGeneralMatMul(const Node& node, PlanBuilder& builder);

// Whether EmitMatMul will take the node, and so a weight expression of its own;
// false for nodes that are no MatMul.
bool TakesMatMul(const Node& node, const PlanBuilder& builder);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_STEPS_LINEAR_MATMUL_H_
