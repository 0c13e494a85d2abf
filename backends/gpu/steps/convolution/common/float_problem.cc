#include "dovetail/backends/gpu/steps/convolution/common/float_problem.h"

namespace dovetail::gpu {

std::optional<ConvolutionProblem> FloatProblemOf(const Node& node) {
  if (!IsConvolution(node)) return std::nullopt;
  if (node.port().type != ElementType::kF32) return std::nullopt;
  const Tensor* weights = PlanBuilder::PackableConstantOf(node.input(1));
  if (weights == nullptr || weights->type() != ElementType::kF32 ||
      !weights->is_contiguous()) {
    return std::nullopt;
  }
  return ConvolutionProblemOf(node);
}

}  // namespace dovetail::gpu
