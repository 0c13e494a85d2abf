// Nodes that are computed with the weights of products.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_LINEAR_SKIPPED_WEIGHTS_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_LINEAR_SKIPPED_WEIGHTS_H_

#include "absl/status/statusor.h"
#include "dovetail/backends/cpu/compiler/emitter.h"

namespace dovetail::cpu {

// Takes nodes of weight expressions (backends/common/linear) that only products
// of f32 matrices read, as their second factor: those evaluate them when the
// plan is made.
absl::StatusOr<bool> EmitWeightExpression(const Node& node,
                                          PlanBuilder& builder);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_LINEAR_SKIPPED_WEIGHTS_H_
