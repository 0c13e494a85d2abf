#include "dovetail/backends/common/compiler/plain_operands.h"

#include "dovetail/core/base/status.h"

namespace dovetail {

absl::StatusOr<PlainOperands> PlainOperandsOf(const Node& node,
                                              PlanBuilderBase& builder) {
  PlainOperands operands;
  for (const Value& input : node.inputs()) {
    PlanOperand operand;
    if (input) {
      DOVETAIL_ASSIGN_OR_RETURN(operand, builder.ReadPlain(input));
    }
    operands.inputs.push_back(operand);
  }
  for (int i = 0; i < node.output_count(); ++i) {
    operands.outputs.push_back(
        builder.WritePlain(PlanBuilderBase::OutputOf(node, i)));
  }
  return operands;
}

}  // namespace dovetail
