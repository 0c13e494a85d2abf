// Weights that are computed from constants, as compressed ones are: integers
// that are converted, shifted and scaled.
#ifndef DOVETAIL_BACKENDS_COMMON_LINEAR_WEIGHT_EXPRESSION_H_
#define DOVETAIL_BACKENDS_COMMON_LINEAR_WEIGHT_EXPRESSION_H_

#include <functional>

#include "absl/status/statusor.h"
#include "dovetail/backends/common/compiler/packing_key.h"
#include "dovetail/core/graph/node.h"
#include "dovetail/core/tensor/tensor.h"

namespace dovetail {

// Whether the value is a constant, or made of constants by Convert, Subtract,
// Multiply and Reshape.
bool IsWeightExpression(Value value);

// What it is, computed by the reference kernels.
absl::StatusOr<Tensor> EvaluateWeights(Value value);

// Which constants it is made of, and how: equal keys mean equal weights.
PackingKey WeightKey(Value value);

// Whether the node is of such an expression, and only products that `takes`
// accepts read that, as their second factor: these evaluate it when the plan is
// made, and nothing has to run for the node.
bool IsOnlyForProducts(const Node& node,
                       const std::function<bool(const Node& matmul)>& takes);

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_COMMON_LINEAR_WEIGHT_EXPRESSION_H_
