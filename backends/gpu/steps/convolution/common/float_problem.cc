#include "dovetail/backends/gpu/steps/convolution/common/float_problem.h"

#include "dovetail/backends/common/linear/weight_expression.h"

namespace dovetail::gpu {

std::optional<ConvolutionProblem> FloatProblemOf(const Node& node) {
  if (!IsConvolution(node)) return std::nullopt;
  if (node.port().type != ElementType::kF32) return std::nullopt;
  const Value weights = node.input(1);
  const Tensor* constant = PlanBuilder::PackableConstantOf(weights);
  const bool is_packable = constant != nullptr ? constant->is_contiguous()
                                               : IsWeightExpression(weights);
  if (weights.type() != ElementType::kF32 || !is_packable) return std::nullopt;
  return ConvolutionProblemOf(node);
}

}  // namespace dovetail::gpu
