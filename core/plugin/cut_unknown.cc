#include "dovetail/core/plugin/cut_unknown.h"

#include <memory>

#include "dovetail/core/base/status.h"
#include "dovetail/core/graph/body.h"
#include "dovetail/core/graph/structural.h"
#include "dovetail/core/ops/op_table.h"

namespace dovetail {
namespace {

absl::Status PutParameterInPlaceOf(const Value& value, Model& model) {
  auto attributes = std::make_unique<ParameterAttributes>();
  attributes->shape = value.shape();
  attributes->element_type = value.type();
  DOVETAIL_ASSIGN_OR_RETURN(
      Node* const parameter,
      model.Add(*FindOp("Parameter-0"), {}, std::move(attributes)));
  model.ReplaceUses(value, parameter->output());
  return absl::OkStatus();
}

absl::Status Cut(Node& node, Model& model) {
  for (int i = 0; i < node.output_count(); ++i) {
    DOVETAIL_RETURN_IF_ERROR(PutParameterInPlaceOf(Value{&node, i}, model));
  }
  const std::vector<Value> inputs(node.inputs().begin(), node.inputs().end());
  model.RemoveNode(&node);
  for (const Value& input : inputs) {
    if (!input || input.node->Is("Constant")) continue;
    DOVETAIL_RETURN_IF_ERROR(
        model.Add(*FindOp("Result-0"), {input}, nullptr).status());
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status CheckInference(const Node& node) {
  if (node.op().infer == nullptr) {
    return Unimplemented(node.Describe(), ": no shape inference for ",
                         node.op().ToString(), " yet");
  }
  for (const auto& body : node.bodies()) {
    for (const auto& inner : body->model->nodes()) {
      DOVETAIL_RETURN_IF_ERROR(
          Annotate(CheckInference(*inner), node.Describe()));
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<std::pair<std::string, absl::Status>>> CutUnknown(
    Model& model) {
  std::vector<std::pair<std::string, absl::Status>> cut;
  std::vector<Node*> unknown;
  for (const auto& node : model.nodes()) {
    absl::Status known = CheckInference(*node);
    if (known.ok()) continue;
    unknown.push_back(node.get());
    cut.emplace_back(node->name(), std::move(known));
  }
  for (Node* node : unknown) DOVETAIL_RETURN_IF_ERROR(Cut(*node, model));
  return cut;
}

}  // namespace dovetail
