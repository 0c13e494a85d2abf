#include "dovetail/extensions/ir/reader/legacy/legacy_ports.h"

#include <map>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/graph/structural.h"
#include "dovetail/core/ops/add_convert.h"

namespace dovetail::ir {
namespace {

ElementType OutputType(ElementType type) {
  switch (type) {
    case ElementType::kI64:
    case ElementType::kU64:
    case ElementType::kI32:
    case ElementType::kU32:
      return ElementType::kI32;
    case ElementType::kString:
    case ElementType::kDynamic:
      return type;  // nothing converts strings, or what is not known
    default:
      return ElementType::kF32;
  }
}

absl::StatusOr<Node*> Converted(Model& model, Value from, ElementType type) {
  return AddConvert(model, from, type,
                    absl::StrCat(from.node->name(), "/convert_to_",
                                 ElementTypeName(type)));
}

absl::Status ConvertInput(Node& parameter, Model& model) {
  auto* attributes = parameter.As<ParameterAttributes>();
  if (attributes == nullptr || parameter.port().type != ElementType::kF16) {
    return absl::OkStatus();
  }
  const std::vector<Use> uses = parameter.port().uses;
  attributes->element_type = ElementType::kF32;
  DOVETAIL_RETURN_IF_ERROR(parameter.Infer());
  if (uses.empty()) return absl::OkStatus();
  DOVETAIL_ASSIGN_OR_RETURN(
      Node* const convert,
      Converted(model, parameter.output(), ElementType::kF16));
  for (const Use& use : uses) use.node->SetInput(use.input, convert->output());
  return absl::OkStatus();
}

// The value of a type that users know. A value that feeds two results is
// converted once.
class OutputConverter {
 public:
  explicit OutputConverter(Model& model) : model_(model) {}

  absl::Status Convert(Node& result) {
    const Value value = result.input(0);
    const ElementType type = OutputType(value.type());
    if (type == value.type()) return absl::OkStatus();
    Node*& convert = converts_[value];
    if (convert == nullptr) {
      DOVETAIL_ASSIGN_OR_RETURN(convert, Converted(model_, value, type));
      // An input that is also an output keeps its names.
      if (!value.node->Is("Parameter")) {
        std::swap(convert->port().names, value.node->port(value.index).names);
      }
    }
    result.SetInput(0, convert->output());
    return absl::OkStatus();
  }

 private:
  Model& model_;
  std::map<Value, Node*> converts_;
};

}  // namespace

absl::Status UseLegacyPortTypes(Model* model) {
  for (Node* const parameter : std::vector<Node*>(model->parameters())) {
    DOVETAIL_RETURN_IF_ERROR(ConvertInput(*parameter, *model));
  }
  OutputConverter outputs(*model);
  for (Node* const result : model->results()) {
    DOVETAIL_RETURN_IF_ERROR(outputs.Convert(*result));
  }
  return absl::OkStatus();
}

}  // namespace dovetail::ir
