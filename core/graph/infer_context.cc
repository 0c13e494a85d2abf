#include "dovetail/core/graph/infer_context.h"

#include <utility>

#include "dovetail/core/graph/body.h"
#include "dovetail/core/graph/structural.h"
#include "dovetail/core/tensor/types/element_type_set.h"

namespace dovetail {
namespace {

// The value of the constant that gives `value`; null when something else does.
const Tensor* ConstantOf(Value value) {
  if (!value || !value.node->Is("Constant")) return nullptr;
  const auto* constant = std::as_const(*value.node).As<ConstantAttributes>();
  return constant != nullptr && constant->value.has_data() ? &constant->value
                                                           : nullptr;
}

// Whether `value` has one element for each of a tensor of that shape.
bool Fits(const ValueRange& value, const PartialShape& shape) {
  return value.size() <= ValueRange::kMaxElements && shape.is_static() &&
         shape.ElementCount() == Dimension(value.size());
}

// "a floating-point type or u8": classes by their names, other types by theirs.
std::string Describe(ElementTypeSet types) {
  struct Class {
    absl::string_view name;
    bool (*belongs)(ElementType type);
  };
  static constexpr Class kClasses[] = {
      {"a numeric type",
       [](ElementType t) { return IsFloat(t) || IsInteger(t); }},
      {"a floating-point type", &IsFloat},
      {"an integer type", &IsInteger}};
  std::vector<absl::string_view> names;
  for (const Class& one : kClasses) {
    ElementTypeSet all;
    for (ElementType type : AllElementTypes()) {
      if (one.belongs(type)) all = all | ElementTypeSet{type};
    }
    if ((types & all) != all) continue;
    names.push_back(one.name);
    types = types - all;
  }
  for (ElementType type : types.types()) {
    names.push_back(ElementTypeName(type));
  }
  std::string text;
  for (size_t i = 0; i < names.size(); ++i) {
    const bool last = i + 1 == names.size();
    absl::StrAppend(&text, i == 0 ? "" : last ? " or " : ", ", names[i]);
  }
  return text;
}

// `port` and `index` tell people whose type it is.
absl::Status CheckType(const InferContext& context, absl::string_view port,
                       int index, ElementType type) {
  const ElementTypeSet allowed = context.node().op().types.allowed;
  if (allowed.empty() || type == ElementType::kDynamic ||
      allowed.Contains(type)) {
    return absl::OkStatus();
  }
  return context.Error(port, " ", index, " has type ", ElementTypeName(type),
                       ", want ", Describe(allowed));
}

}  // namespace

InferContext::InferContext(Node& node)
    : node_(node),
      mutable_bodies_(&node.bodies()),
      ranges_(node.input_count()),
      outputs_(node.op().outputs.min) {
  inputs_.reserve(node.input_count());
  for (Value input : node.inputs()) {
    const OutputPort& port = std::as_const(input).port();
    inputs_.push_back({port.type, port.shape,
                       port.value.has_value() ? &*port.value : nullptr,
                       ConstantOf(input)});
  }
}

InferContext::InferContext(const Node& node, absl::Span<const Tensor> inputs)
    : node_(node), ranges_(inputs.size()), outputs_(node.op().outputs.min) {
  inputs_.reserve(inputs.size());
  for (const Tensor& input : inputs) {
    inputs_.push_back({input.type(), input.shape(), nullptr,
                       input.has_data() ? &input : nullptr});
  }
}

const ValueRange* InferContext::value(int i) const {
  if (!has_input(i)) return nullptr;
  if (inputs_[i].value != nullptr) return inputs_[i].value;
  if (inputs_[i].tensor == nullptr) return nullptr;
  if (!ranges_[i].has_value()) {
    ranges_[i] = ValueRange::OfTensor(*inputs_[i].tensor);
  }
  return ranges_[i].has_value() ? &*ranges_[i] : nullptr;
}

std::optional<std::vector<int64_t>> InferContext::ints(int i) const {
  if (!has_input(i)) return std::nullopt;
  if (const Tensor* known = inputs_[i].tensor; known != nullptr) {
    if (known->type() == ElementType::kString) return std::nullopt;
    return ToInt64Vector(*known);
  }
  const ValueRange* range = value(i);
  return range == nullptr ? std::nullopt : range->ToInt64();
}

std::optional<int64_t> InferContext::scalar_int(int i) const {
  const std::optional<std::vector<int64_t>> values = ints(i);
  if (!values.has_value() || values->size() != 1) return std::nullopt;
  return values->front();
}

std::optional<std::vector<double>> InferContext::doubles(int i) const {
  if (!has_input(i)) return std::nullopt;
  if (const Tensor* known = inputs_[i].tensor; known != nullptr) {
    if (known->type() == ElementType::kString) return std::nullopt;
    return ToDoubleVector(*known);
  }
  const ValueRange* range = value(i);
  if (range == nullptr || !range->is_exact()) return std::nullopt;
  std::vector<double> values;
  values.reserve(range->size());
  for (const auto& element : range->elements()) {
    values.push_back(element.lower);
  }
  return values;
}

void InferContext::SetValue(int i, ValueRange value) {
  if (i < 0 || i >= output_count() || !Fits(value, outputs_[i].shape)) return;
  outputs_[i].value = std::move(value);
}

absl::Status InferOutputs(InferContext& context) {
  const OpInfo& op = context.node().op();
  const int input = op.types.input;
  if (context.has_input(input) && input >= 0) {
    DOVETAIL_RETURN_IF_ERROR(
        CheckType(context, "input", input, context.type(input)));
  }
  DOVETAIL_RETURN_IF_ERROR(op.infer(context));
  if (input == OpTypes::kOutput && context.output_count() > 0) {
    return CheckType(context, "output", 0, context.outputs()[0].type);
  }
  return absl::OkStatus();
}

}  // namespace dovetail
