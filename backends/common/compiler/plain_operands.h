// All operands of a node whose step takes values as the model has them.
#ifndef DOVETAIL_BACKENDS_COMMON_COMPILER_PLAIN_OPERANDS_H_
#define DOVETAIL_BACKENDS_COMMON_COMPILER_PLAIN_OPERANDS_H_

#include <vector>

#include "absl/status/statusor.h"
#include "dovetail/backends/common/compiler/plan_builder_base.h"
#include "dovetail/core/graph/node.h"

namespace dovetail {

struct PlainOperands {
  // As many as the node has; an input that is left out is no operand.
  std::vector<PlanOperand> inputs;
  std::vector<PlanOperand> outputs;
};

// By ReadPlain and WritePlain, for the step to be added next.
absl::StatusOr<PlainOperands> PlainOperandsOf(const Node& node,
                                              PlanBuilderBase& builder);

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_COMMON_COMPILER_PLAIN_OPERANDS_H_
