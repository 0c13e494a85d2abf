#include "dovetail/backends/common/program/static_plan.h"

namespace dovetail {

bool IsCopyOf(const Node* copy, const Node& node) {
  if (copy == nullptr || copy == &node) return copy != nullptr;
  return copy->op().type == node.op().type && copy->name() == node.name();
}

absl::StatusOr<Tensor> PlanCompiler::Allocate(ElementType type,
                                              const Shape& shape) {
  return Tensor::AllocateUninitialized(type, shape);
}

}  // namespace dovetail
