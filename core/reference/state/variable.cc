#include "dovetail/core/reference/state/variable.h"

#include "dovetail/core/ops/state/variable.h"

namespace dovetail {
namespace {

absl::StatusOr<VariableValues*> VariablesOf(const KernelContext& context) {
  VariableValues* variables = context.environment().variables;
  if (variables == nullptr) {
    return FailedPrecondition(context.node().Describe(),
                              ": there is nowhere to keep variables");
  }
  return variables;
}

absl::StatusOr<Tensor> InitialValue(const KernelContext& context) {
  if (context.has_input(0)) return context.input(0);
  const auto& attributes = context.attributes<ReadValueAttributes>();
  if (!attributes.variable_shape.rank_known()) {
    return context.Error("variable '", attributes.variable_id,
                         "' has neither an initial value nor a rank");
  }
  return Tensor::Allocate(attributes.variable_type,
                          Shape(attributes.variable_shape.MinDims()));
}

}  // namespace

absl::Status ReadValueKernel(KernelContext& context) {
  DOVETAIL_ASSIGN_OR_RETURN(const VariableValues* variables,
                            VariablesOf(context));
  const auto it = variables->find(*VariableIdOf(context.node()));
  if (it != variables->end() && it->second.has_data()) {
    Tensor value = it->second;
    // Another way of running the model may keep it with other axes outermost.
    if (!value.is_contiguous()) {
      DOVETAIL_ASSIGN_OR_RETURN(value, value.Clone());
    }
    context.SetOutput(0, std::move(value));
    return absl::OkStatus();
  }
  DOVETAIL_ASSIGN_OR_RETURN(Tensor initial, InitialValue(context));
  context.SetOutput(0, std::move(initial));
  return absl::OkStatus();
}

absl::Status AssignKernel(KernelContext& context) {
  DOVETAIL_ASSIGN_OR_RETURN(VariableValues* variables, VariablesOf(context));
  // The input's memory may be used again in the next inference.
  DOVETAIL_ASSIGN_OR_RETURN((*variables)[*VariableIdOf(context.node())],
                            context.input(0).Clone());
  context.SetOutput(0, context.input(0));
  return absl::OkStatus();
}

}  // namespace dovetail
