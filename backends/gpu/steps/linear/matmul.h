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

// Takes nodes of weight expressions that only such products of f32 read.
absl::StatusOr<bool> EmitWeightExpression(const Node& node,
                                          PlanBuilder& builder);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_STEPS_LINEAR_MATMUL_H_
