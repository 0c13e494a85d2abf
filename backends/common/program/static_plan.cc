#include "dovetail/backends/common/program/static_plan.h"

#include "dovetail/transformations/pipelines/common.h"

namespace dovetail {

bool IsCopyOf(const Node* copy, const Node& node) {
  if (copy == nullptr || copy == &node) return copy != nullptr;
  return copy->op().type == node.op().type && copy->name() == node.name();
}

void PlanCompiler::AddPassesForShapes(PassManager& passes) const {
  AddCommonPassesOnce(passes);
}

absl::StatusOr<Tensor> PlanCompiler::Allocate(ElementType type,
                                              const Shape& shape) {
  return Tensor::AllocateUninitialized(type, shape);
}

}  // namespace dovetail
