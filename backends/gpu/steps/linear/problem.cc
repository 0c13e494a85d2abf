#include "dovetail/backends/gpu/steps/linear/problem.h"

#include <algorithm>

#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/linear/matmul.h"

namespace dovetail::gpu {

std::optional<MatMulProblem> MatMulProblemOf(const Node& node) {
  const auto* attributes = node.As<MatMulAttributes>();
  if (attributes == nullptr) return std::nullopt;
  const Shape a = PlanBuilder::ShapeOf(node.input(0));
  const Shape b = PlanBuilder::ShapeOf(node.input(1));
  const Shape result = PlanBuilder::ShapeOf(PlanBuilder::OutputOf(node));
  MatMulProblem problem;
  problem.node = &node;
  problem.shapes = MatrixShapesOf(Dense(a), Dense(b), attributes->transpose_a,
                                  attributes->transpose_b);
  problem.column_axis = b.rank() == 1 ? result.rank() : result.rank() - 1;
  return problem;
}

absl::StatusOr<Operand> AddInts(absl::Span<const int64_t> numbers,
                                PlanBuilder& builder) {
  DOVETAIL_ASSIGN_OR_RETURN(
      const Tensor tensor,
      Tensor::Allocate(ElementType::kI32,
                       {static_cast<int64_t>(numbers.size())}));
  std::copy(numbers.begin(), numbers.end(), tensor.mutable_data<int32_t>());
  return builder.AddConstant(tensor);
}

}  // namespace dovetail::gpu
