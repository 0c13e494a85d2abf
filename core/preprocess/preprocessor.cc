#include "dovetail/core/preprocess/preprocessor.h"

#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/graph/structural.h"
#include "dovetail/core/ops/structural/structural.h"
#include "dovetail/core/preprocess/input_shapes.h"
#include "dovetail/core/preprocess/value_steps.h"

namespace dovetail {
namespace {

absl::Status RunSteps(const std::vector<Step>& steps, StepContext& context) {
  for (size_t i = 0; i < steps.size(); ++i) {
    DOVETAIL_RETURN_IF_ERROR(
        Annotate(steps[i].apply(context),
                 absl::StrCat("step ", i + 1, " (", steps[i].name, ")")));
  }
  return context.Data().status();
}

// Type and layout as the other side wants them.
absl::Status CloseLayout(StepContext& context) {
  if (context.layout.empty() || context.target_layout.empty()) {
    return absl::OkStatus();
  }
  return ConvertLayout(Layout(), context);
}

absl::Status CloseSpatialSize(StepContext& context) {
  const PartialShape& target = context.target_shape;
  const Layout& layout = context.target_layout;
  if (!target.rank_known() || context.layout.empty()) return absl::OkStatus();
  for (const absl::string_view axis : {"H", "W"}) {
    if (!layout.Find(axis).has_value() ||
        !context.layout.Find(axis).has_value()) {
      return absl::OkStatus();
    }
    DOVETAIL_ASSIGN_OR_RETURN(const int i, layout.Axis(axis, target.rank()));
    if (target[i].is_dynamic()) return absl::OkStatus();
  }
  return Resize(ResizeMode::kLinear, std::nullopt, context);
}

// ---- Inputs ----

absl::Status AddPlanes(Node* parameter, ElementType type,
                       const std::vector<PartialShape>& shapes,
                       ColorFormat color, StepContext& context) {
  auto* attributes = parameter->As<ParameterAttributes>();
  if (attributes == nullptr) return Internal(parameter->Describe());
  attributes->element_type = type;
  attributes->shape = shapes[0];
  DOVETAIL_RETURN_IF_ERROR(parameter->Infer());
  context.planes = {parameter->output()};
  const std::vector<std::string> planes = PlaneNames(color);
  if (planes.empty()) return absl::OkStatus();
  const std::string name = parameter->name();
  const std::set<std::string> names = parameter->port().names;
  for (size_t i = 0; i < planes.size(); ++i) {
    Node* plane = parameter;
    if (i > 0) {
      DOVETAIL_ASSIGN_OR_RETURN(plane,
                                AddParameter(context.model(), type, shapes[i]));
      context.planes.push_back(plane->output());
    }
    plane->set_name(absl::StrCat(name, "/", planes[i]));
    plane->port().names.clear();
    for (const std::string& tensor : names) {
      plane->port().names.insert(absl::StrCat(tensor, "/", planes[i]));
    }
  }
  return absl::OkStatus();
}

absl::Status Connect(const std::vector<Use>& uses, StepContext& context) {
  DOVETAIL_ASSIGN_OR_RETURN(const Value data, context.Data());
  if (data.type() != context.target_type ||
      !data.shape().Compatible(context.target_shape)) {
    return InvalidArgument(
        "after its steps it is ", ElementTypeName(data.type()),
        data.shape().ToString(), ", but the model takes ",
        ElementTypeName(context.target_type), context.target_shape.ToString());
  }
  for (const Use& use : uses) use.node->SetInput(use.input, data);
  return absl::OkStatus();
}

absl::Status AddToInput(const PortPreprocess& port, Node* parameter,
                        Model& model) {
  StepContext context(model, absl::StrCat(parameter->name(), "/preprocess"));
  const std::vector<Use> uses = parameter->port().uses;
  context.target_type = parameter->port().type;
  context.target_shape = parameter->port().shape;
  const TensorDescription& tensor = port.tensor();
  DOVETAIL_ASSIGN_OR_RETURN(context.target_layout,
                            Layout::Parse(port.model().layout()));
  DOVETAIL_ASSIGN_OR_RETURN(
      context.layout,
      Layout::Parse(IsYuv(tensor.color()) ? "NHWC" : tensor.layout()));
  if (context.layout.empty()) context.layout = context.target_layout;
  context.color = tensor.color();
  DOVETAIL_ASSIGN_OR_RETURN(
      const std::vector<PartialShape> shapes,
      InputShapes(tensor, context.layout, context.target_shape,
                  context.target_layout));
  DOVETAIL_RETURN_IF_ERROR(
      AddPlanes(parameter, tensor.type().value_or(context.target_type), shapes,
                tensor.color(), context));
  DOVETAIL_RETURN_IF_ERROR(RunSteps(port.steps(), context));
  DOVETAIL_RETURN_IF_ERROR(ConvertElementType(ElementType::kDynamic, context));
  DOVETAIL_RETURN_IF_ERROR(CloseSpatialSize(context));
  DOVETAIL_RETURN_IF_ERROR(CloseLayout(context));
  return Connect(uses, context);
}

// ---- Outputs ----

// The names by which users find an output go with it.
void MoveNames(Value from, Value to) {
  if (from.node->Is("Parameter")) return;
  auto& names = from.port().names;
  if (names.empty()) names.insert(from.node->name());
  to.port().names.merge(names);
  names.clear();
}

absl::Status AddToOutput(const PortPreprocess& port, Node* result,
                         Model& model) {
  const Value from = result->input(0);
  StepContext context(model, absl::StrCat(from.node->name(), "/postprocess"));
  context.Set(from);
  context.target_type = port.tensor().type().value_or(ElementType::kDynamic);
  DOVETAIL_ASSIGN_OR_RETURN(context.layout,
                            Layout::Parse(port.model().layout()));
  DOVETAIL_ASSIGN_OR_RETURN(context.target_layout,
                            Layout::Parse(port.tensor().layout()));
  DOVETAIL_RETURN_IF_ERROR(RunSteps(port.steps(), context));
  DOVETAIL_RETURN_IF_ERROR(ConvertElementType(ElementType::kDynamic, context));
  DOVETAIL_RETURN_IF_ERROR(CloseLayout(context));
  DOVETAIL_ASSIGN_OR_RETURN(const Value to, context.Data());
  if (to == from) return absl::OkStatus();
  MoveNames(from, to);
  result->SetInput(0, to);
  return absl::OkStatus();
}

absl::Status CheckIndices(const std::map<int, PortPreprocess>& ports,
                          size_t count, absl::string_view what) {
  for (const auto& [i, port] : ports) {
    if (i >= 0 && i < static_cast<int>(count)) continue;
    return NotFound("no ", what, " ", i, "; the model has ", count);
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Model> Preprocessor::Build() && {
  DOVETAIL_RETURN_IF_ERROR(
      CheckIndices(inputs_, model_.parameters().size(), "input"));
  DOVETAIL_RETURN_IF_ERROR(
      CheckIndices(outputs_, model_.results().size(), "output"));
  for (const auto& [i, port] : inputs_) {
    const std::string name = model_.InputName(i);
    DOVETAIL_RETURN_IF_ERROR(
        Annotate(AddToInput(port, model_.parameters()[i], model_),
                 absl::StrCat("preprocessing of input '", name, "'")));
  }
  DOVETAIL_RETURN_IF_ERROR(model_.Infer());
  for (const auto& [i, port] : outputs_) {
    const std::string name = model_.OutputName(i);
    DOVETAIL_RETURN_IF_ERROR(
        Annotate(AddToOutput(port, model_.results()[i], model_),
                 absl::StrCat("postprocessing of output '", name, "'")));
  }
  DOVETAIL_RETURN_IF_ERROR(model_.Infer());
  return std::move(model_);
}

}  // namespace dovetail
