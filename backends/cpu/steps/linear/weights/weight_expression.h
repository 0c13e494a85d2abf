// Weights that are computed from constants, as compressed ones are: integers
// that are converted, shifted and scaled.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_LINEAR_WEIGHTS_WEIGHT_EXPRESSION_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_LINEAR_WEIGHTS_WEIGHT_EXPRESSION_H_

#include "absl/status/statusor.h"
#include "dovetail/backends/cpu/compiler/emitter.h"
#include "dovetail/backends/common/compiler/packing_key.h"
#include "dovetail/core/graph/node.h"
#include "dovetail/core/tensor/tensor.h"

namespace dovetail::cpu {

// Whether the value is a constant, or made of constants by Convert, Subtract,
// Multiply and Reshape.
bool IsWeightExpression(Value value);

// What it is, computed by the reference kernels.
absl::StatusOr<Tensor> EvaluateWeights(Value value);

// Which constants it is made of, and how: equal keys mean equal weights.
PackingKey WeightKey(Value value);

// Takes nodes of such expressions that only products of f32 matrices read, as
// their second factor: those evaluate them when the plan is made.
absl::StatusOr<bool> EmitWeightExpression(const Node& node,
                                          PlanBuilder& builder);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_LINEAR_WEIGHTS_WEIGHT_EXPRESSION_H_
