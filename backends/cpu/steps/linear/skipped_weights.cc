#include "dovetail/backends/cpu/steps/linear/skipped_weights.h"

#include "dovetail/backends/common/linear/weight_expression.h"

namespace dovetail::cpu {
namespace {

bool IsEmpty(Value value) { return PlanBuilder::ShapeOf(value).Count() == 0; }

// Products without elements, as of a batch of none, are left to the reference
// kernels, which read all of their inputs.
bool IsProductOfFloats(const Node& node) {
  return node.Is("MatMul") && node.port().type == ElementType::kF32 &&
         node.input(0).type() == ElementType::kF32 && !IsEmpty(node.input(0)) &&
         !IsEmpty(PlanBuilder::OutputOf(node));
}

}  // namespace

absl::StatusOr<bool> EmitWeightExpression(const Node& node,
                                          PlanBuilder& builder) {
  (void)builder;
  return IsOnlyForProducts(node, &IsProductOfFloats);
}

}  // namespace dovetail::cpu
