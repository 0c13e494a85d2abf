#include "dovetail/backends/gpu/steps/weights/table.h"

#include <cstdint>
#include <limits>

#include "dovetail/backends/common/linear/weight_expression.h"
#include "dovetail/backends/gpu/steps/convolution/direct/direct.h"
#include "dovetail/backends/gpu/steps/linear/matmul.h"

namespace dovetail::gpu {
namespace {

// Whether an emitter comes to compute the node, and makes its weights.
bool Takes(const Node& node, const PlanBuilder& builder) {
  const auto is_fine = [](Value value) {
    constexpr int64_t kMost = std::numeric_limits<int32_t>::max();
    const int64_t count = PlanBuilder::ShapeOf(value).Count();
    return count > 0 && count <= kMost;
  };
  return is_fine(node.input(0)) && is_fine(node.input(1)) &&
         is_fine(PlanBuilder::OutputOf(node)) &&
         (TakesMatMul(node, builder) || TakesDirectConvolution(node));
}

absl::StatusOr<bool> EmitWeightExpression(const Node& node,
                                          PlanBuilder& builder) {
  // Kernels of a user's may compute any part of it.
  const auto& custom = builder.settings().custom_kernels;
  if (custom != nullptr && !custom->empty()) return false;
  return IsOnlyForProducts(
      node, [&](const Node& product) { return Takes(product, builder); });
}

}  // namespace

absl::Span<const EmitterRow> WeightEmitters() {
  static constexpr EmitterRow kRows[] = {
      {"Convert", &EmitWeightExpression},
      {"Subtract", &EmitWeightExpression},
      {"Multiply", &EmitWeightExpression},
      {"Reshape", &EmitWeightExpression},
  };
  return kRows;
}

}  // namespace dovetail::gpu
