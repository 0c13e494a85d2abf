#include "dovetail/core/ops/testing/infer.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/structural/structural.h"

namespace dovetail {
namespace {

std::string ElementText(const ValueRange::Interval& element) {
  if (element.is_exact()) return absl::StrCat(element.lower);
  const bool below = std::isinf(element.lower);
  const bool above = std::isinf(element.upper);
  if (below && above) return "?";
  return absl::StrCat(below ? "" : absl::StrCat(element.lower), "..",
                      above ? "" : absl::StrCat(element.upper));
}

// Tests run one after another, so nothing guards it.
std::map<std::string, InferencesSoFar>& AllInferences() {
  static auto& all = *new std::map<std::string, InferencesSoFar>;
  return all;
}

void Note(absl::string_view op, const std::vector<InputSpec>& inputs,
          const absl::StatusOr<std::vector<InferredOutput>>& outputs) {
  InferencesSoFar& so_far =
      AllInferences()[std::string(op.data(), op.size())];
  const bool dynamic =
      std::any_of(inputs.begin(), inputs.end(), [](const InputSpec& input) {
        return input.shape.is_dynamic();
      });
  so_far.refused |= !outputs.ok();
  so_far.with_static_shapes |= outputs.ok() && !dynamic;
  so_far.with_dynamic_shapes |= outputs.ok() && dynamic;
}

std::string ErrorText(const absl::Status& status) {
  return std::string(status.message().data(), status.message().size());
}

}  // namespace

InputSpec Typed(ElementType type, PartialShape shape) {
  return {type, std::move(shape), std::nullopt};
}
InputSpec F32(PartialShape shape) {
  return Typed(ElementType::kF32, std::move(shape));
}
InputSpec I32(PartialShape shape) {
  return Typed(ElementType::kI32, std::move(shape));
}
InputSpec I64(PartialShape shape) {
  return Typed(ElementType::kI64, std::move(shape));
}
InputSpec Boolean(PartialShape shape) {
  return Typed(ElementType::kBoolean, std::move(shape));
}

InputSpec ConstantOf(ElementType type, const Shape& shape,
                     const std::vector<double>& values) {
  return {type, shape, Tensor::FromDoubles(type, shape, values).value()};
}
InputSpec Ints(const std::vector<int64_t>& values) {
  const Shape shape({static_cast<int64_t>(values.size())});
  return {ElementType::kI64, shape,
          Tensor::FromValues<int64_t>(shape, values).value()};
}
InputSpec Int(int64_t value) {
  return {ElementType::kI64, Shape(),
          Tensor::FromValues<int64_t>(Shape(), {value}).value()};
}

absl::StatusOr<Value> AddInput(Model& model, const InputSpec& spec) {
  absl::StatusOr<Node*> node =
      spec.value.has_value()
          ? AddConstant(model, *spec.value)
          : AddParameter(model, spec.type, spec.shape);
  if (!node.ok()) return node.status();
  return (*node)->output();
}

InferencesSoFar InferencesOf(absl::string_view op) {
  return AllInferences()[std::string(op.data(), op.size())];
}

namespace {

absl::StatusOr<std::vector<InferredOutput>> InferRow(
    const OpInfo* row, const std::vector<InputSpec>& inputs,
    const TextAttributes& attributes) {
  DOVETAIL_ASSIGN_OR_RETURN(auto made, AttributesFromText(*row, attributes));
  Model model;
  std::vector<Value> values;
  for (const InputSpec& spec : inputs) {
    DOVETAIL_ASSIGN_OR_RETURN(const Value value, AddInput(model, spec));
    values.push_back(value);
  }
  DOVETAIL_ASSIGN_OR_RETURN(Node * node,
                            model.Add(*row, values, std::move(made)));
  std::vector<InferredOutput> outputs;
  for (int i = 0; i < node->output_count(); ++i) {
    const OutputPort& port = node->port(i);
    outputs.push_back({port.type, port.shape, port.value});
  }
  return outputs;
}

}  // namespace

absl::StatusOr<std::vector<InferredOutput>> InferTester::Infer(
    absl::string_view op, const std::vector<InputSpec>& inputs,
    const TextAttributes& attributes) const {
  DOVETAIL_ASSIGN_OR_RETURN(const OpInfo* row, FindOpByName(ops_, op));
  auto outputs = InferRow(row, inputs, attributes);
  Note(op, inputs, outputs);
  return outputs;
}

std::string InferTester::Shapes(absl::string_view op,
                                const std::vector<InputSpec>& inputs,
                                const TextAttributes& attributes) const {
  const auto outputs = Infer(op, inputs, attributes);
  if (!outputs.ok()) return ErrorText(outputs.status());
  std::string text;
  for (const InferredOutput& output : *outputs) {
    absl::StrAppend(&text, text.empty() ? "" : " ",
                    ElementTypeName(output.type), output.shape.ToString());
  }
  return text;
}

std::string InferTester::Values(absl::string_view op,
                                const std::vector<InputSpec>& inputs,
                                const TextAttributes& attributes) const {
  const auto outputs = Infer(op, inputs, attributes);
  if (!outputs.ok()) return ErrorText(outputs.status());
  if (outputs->empty() || !(*outputs)[0].value.has_value()) return "unknown";
  std::string text;
  for (const ValueRange::Interval& element : (*outputs)[0].value->elements()) {
    absl::StrAppend(&text, text.empty() ? "" : ", ", ElementText(element));
  }
  return text;
}

std::string InferTester::Error(absl::string_view op,
                               const std::vector<InputSpec>& inputs,
                               const TextAttributes& attributes) const {
  const auto outputs = Infer(op, inputs, attributes);
  return outputs.ok() ? "no error" : ErrorText(outputs.status());
}

}  // namespace dovetail
