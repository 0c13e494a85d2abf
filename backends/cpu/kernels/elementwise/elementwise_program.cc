#include "dovetail/backends/cpu/kernels/elementwise/elementwise_program.h"

#include <utility>

#include "dovetail/backends/cpu/kernels/elementwise/register_assignment.h"
#include "dovetail/core/base/status.h"

namespace dovetail::cpu {

using Builder = ElementwiseProgram::Builder;

Builder::Value Builder::AddInput(ElementType type) {
  if (!IsConvertible(type)) {
    status_.Update(InvalidArgument("an elementwise program cannot load ",
                                   ElementTypeName(type)));
  }
  nodes_.push_back({.kind = ElementwiseNode::Kind::kInput,
                    .input = static_cast<int>(inputs_.size())});
  inputs_.push_back({type, FindLoadFloats(type)});
  return static_cast<Value>(nodes_.size()) - 1;
}

Builder::Value Builder::Constant(float value) {
  nodes_.push_back(
      {.kind = ElementwiseNode::Kind::kConstant, .constant = value});
  return static_cast<Value>(nodes_.size()) - 1;
}

Builder::Value Builder::Op(ElementwiseOp op,
                           std::initializer_list<Value> operands,
                           std::initializer_list<float> parameters) {
  return Op(op, absl::MakeConstSpan(operands.begin(), operands.size()),
            absl::MakeConstSpan(parameters.begin(), parameters.size()));
}

Builder::Value Builder::Op(ElementwiseOp op, absl::Span<const Value> operands,
                           absl::Span<const float> parameters) {
  status_.Update(CheckOp(op, operands, parameters));
  ElementwiseNode node{.kind = ElementwiseNode::Kind::kOp, .op = op};
  if (status_.ok()) {
    node.operands.assign(operands.begin(), operands.end());
    for (size_t i = 0; i < parameters.size(); ++i) {
      node.parameters[i] = parameters[i];
    }
  }
  nodes_.push_back(std::move(node));
  return static_cast<Value>(nodes_.size()) - 1;
}

void Builder::Output(Value value, ElementType type) {
  if (!IsConvertible(type)) {
    status_.Update(InvalidArgument("an elementwise program cannot store ",
                                   ElementTypeName(type)));
  }
  const absl::Status status = CheckValue(value);
  status_.Update(status);
  // What is computed fills a tile, unlike an input that may be one number.
  if (status.ok() && nodes_[value].kind != ElementwiseNode::Kind::kOp) {
    value = Op(ElementwiseOp::kCopy, {value});
  }
  outputs_.push_back({value, type});
}

absl::Status Builder::CheckValue(Value value) const {
  if (value < 0 || value >= static_cast<Value>(nodes_.size())) {
    return InvalidArgument("value ", value, " of an elementwise program of ",
                           nodes_.size(), " values");
  }
  return absl::OkStatus();
}

absl::Status Builder::CheckOp(ElementwiseOp op,
                              absl::Span<const Value> operands,
                              absl::Span<const float> parameters) const {
  const size_t wanted = OperandCount(op);
  const size_t wanted_parameters = ParameterCount(op);
  if (wanted == 0 || operands.size() != wanted ||
      parameters.size() != wanted_parameters) {
    return InvalidArgument(ElementwiseOpName(op), " of ", operands.size(),
                           " operands and ", parameters.size(),
                           " parameters: it has ", wanted, " and ",
                           wanted_parameters);
  }
  for (const Value value : operands) {
    DOVETAIL_RETURN_IF_ERROR(CheckValue(value));
  }
  return absl::OkStatus();
}

absl::StatusOr<ElementwiseProgram> Builder::Build() && {
  DOVETAIL_RETURN_IF_ERROR(status_);
  JoinInstructions(nodes_, outputs_);
  RegisterAssignment assignment(nodes_, outputs_, inputs_.size());
  DOVETAIL_RETURN_IF_ERROR(assignment.Run());
  ElementwiseProgram program;
  program.inputs_ = std::move(inputs_);
  program.instructions_ = std::move(assignment.instructions);
  program.outputs_ = std::move(assignment.outputs);
  program.constants_ = std::move(assignment.constants);
  program.register_count_ = assignment.register_count;
  return program;
}

}  // namespace dovetail::cpu
