#include "dovetail/core/ops/structural/structural.h"

#include <memory>
#include <optional>
#include <utility>

#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/structural/table.h"

namespace dovetail {
namespace {

const OpInfo& Row(absl::string_view type) {
  for (const OpInfo& row : StructuralOps()) {
    if (row.type == type) return row;
  }
  return StructuralOps()[0];  // not reached: the types below are in the table
}

}  // namespace

absl::Status InferParameter(InferContext& context) {
  const auto& attributes = context.attributes<ParameterAttributes>();
  context.SetOutput(0, attributes.element_type, attributes.shape);
  return absl::OkStatus();
}

absl::Status InferConstant(InferContext& context) {
  const Tensor& value = context.attributes<ConstantAttributes>().value;
  if (!value.has_data()) return context.Error("the constant has no value");
  context.SetOutput(0, value.type(), value.shape());
  if (!context.wants_values()) return absl::OkStatus();
  std::optional<ValueRange> range = ValueRange::OfTensor(value);
  if (range.has_value()) context.SetValue(0, *std::move(range));
  return absl::OkStatus();
}

absl::Status InferResult(InferContext&) { return absl::OkStatus(); }

absl::Status InferIdentity(InferContext& context) {
  context.SetOutput(0, context.type(0), context.shape(0));
  if (!context.wants_values()) return absl::OkStatus();
  const ValueRange* value = context.value(0);
  if (value != nullptr) context.SetValue(0, *value);
  return absl::OkStatus();
}

absl::StatusOr<Node*> AddParameter(Model& model, ElementType type,
                                   const PartialShape& shape,
                                   absl::string_view name) {
  auto attributes = std::make_unique<ParameterAttributes>();
  attributes->element_type = type;
  attributes->shape = shape;
  return model.Add(Row("Parameter"), {}, std::move(attributes), name);
}

absl::StatusOr<Node*> AddConstant(Model& model, const Tensor& value,
                                  absl::string_view name) {
  auto attributes = std::make_unique<ConstantAttributes>();
  attributes->value = value;
  return model.Add(Row("Constant"), {}, std::move(attributes), name);
}

absl::StatusOr<Node*> AddResult(Model& model, Value value,
                                absl::string_view name) {
  return model.Add(Row("Result"), {value}, std::make_unique<NoAttributes>(),
                   name);
}

}  // namespace dovetail
