#include "dovetail/core/ops/state/variable.h"

#include "dovetail/core/ops/common/checks.h"

namespace dovetail {
namespace {

absl::Status CheckId(const InferContext& context) {
  const std::string* id = VariableIdOf(context.node());
  if (id == nullptr || id->empty()) {
    return context.Error("attribute variable_id is empty");
  }
  return absl::OkStatus();
}

}  // namespace

const std::string* VariableIdOf(const Node& node) {
  if (const auto* read = node.As<ReadValueAttributes>()) {
    return &read->variable_id;
  }
  const auto* other = node.As<VariableAttributes>();
  return other != nullptr ? &other->variable_id : nullptr;
}

absl::Status InferReadValue(InferContext& context) {
  DOVETAIL_RETURN_IF_ERROR(CheckId(context));
  const auto* declared = context.node().As<ReadValueAttributes>();
  if (declared == nullptr) {
    context.SetOutput(0, context.type(0), context.shape(0));
    return absl::OkStatus();
  }
  ElementType type = declared->variable_type;
  PartialShape shape = declared->variable_shape;
  if (context.has_input(0)) {
    // Old files declare neither: the variable is what it begins with.
    if (type == ElementType::kDynamic && !shape.rank_known()) {
      shape = context.shape(0);
    }
    if (type == ElementType::kDynamic) type = context.type(0);
    DOVETAIL_RETURN_IF_ERROR(RequireType(context, 0, type));
    if (!shape.Compatible(context.shape(0))) {
      return context.Error("input 0 has shape ", context.shape(0).ToString(),
                           ", the variable's is ", shape.ToString());
    }
  }
  context.SetOutput(0, type, std::move(shape));
  return absl::OkStatus();
}

absl::Status InferAssign(InferContext& context) {
  DOVETAIL_RETURN_IF_ERROR(CheckId(context));
  context.SetOutput(0, context.type(0), context.shape(0));
  return absl::OkStatus();
}

}  // namespace dovetail
