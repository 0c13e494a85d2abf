#include "dovetail/testing/conformance/operations/variants.h"

#include <algorithm>
#include <utility>

#include "absl/strings/string_view.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/graph/structural.h"
#include "dovetail/core/ops/op_table.h"

namespace dovetail {
namespace {

// Puts another node in the place of one without inputs.
void Replace(Model& model, Node& node, OpType type,
             std::unique_ptr<Attributes> attributes) {
  Node* other = model.AddUninferred(*FindOp(type), {}, std::move(attributes));
  model.ReplaceUses(node.output(), other->output());
  model.RemoveNode(&node);
}

std::vector<Node*> Constants(const Model& model) {
  std::vector<Node*> constants;
  for (const auto& node : model.nodes()) {
    if (node->Is("Constant")) constants.push_back(node.get());
  }
  return constants;
}

}  // namespace

std::vector<PartialShape> InputShapes(const OperationCase& test_case) {
  std::vector<PartialShape> shapes;
  for (const Tensor& input : test_case.inferences[0].inputs) {
    shapes.emplace_back(input.shape());
  }
  return shapes;
}

std::vector<PartialShape> UnknownExtents(const OperationCase& test_case) {
  std::vector<PartialShape> shapes;
  for (const Tensor& input : test_case.inferences[0].inputs) {
    shapes.push_back(PartialShape::OfRank(input.rank()));
  }
  return shapes;
}

std::vector<PartialShape> UnknownRanks(const OperationCase& test_case) {
  return std::vector<PartialShape>(test_case.inferences[0].inputs.size());
}

absl::StatusOr<std::unique_ptr<Model>> WithShapes(
    const Model& model, const std::vector<PartialShape>& shapes) {
  std::unique_ptr<Model> copy = model.Clone();
  for (size_t i = 0; i < shapes.size(); ++i) {
    copy->parameters()[i]->As<ParameterAttributes>()->shape = shapes[i];
  }
  DOVETAIL_RETURN_IF_ERROR(copy->Infer());
  return copy;
}

absl::StatusOr<OperationCase> WithConstantsAsInputs(
    const OperationCase& test_case) {
  OperationCase result;
  result.name = test_case.name;
  result.operations = test_case.operations;
  result.relative = test_case.relative;
  result.absolute = test_case.absolute;
  result.inferences = test_case.inferences;
  result.model = test_case.model->Clone();
  for (Node* constant : Constants(*result.model)) {
    for (OperationCase::Inference& inference : result.inferences) {
      inference.inputs.push_back(constant->As<ConstantAttributes>()->value);
    }
    const Tensor& value = constant->As<ConstantAttributes>()->value;
    auto attributes = std::make_unique<ParameterAttributes>();
    attributes->shape = value.shape();
    attributes->element_type = value.type();
    Replace(*result.model, *constant, "Parameter", std::move(attributes));
  }
  DOVETAIL_RETURN_IF_ERROR(result.model->Infer());
  return result;
}

absl::StatusOr<std::unique_ptr<Model>> WithInputsAsConstants(
    const OperationCase& test_case) {
  std::unique_ptr<Model> model = test_case.model->Clone();
  const std::vector<Node*> parameters = model->parameters();
  for (size_t i = 0; i < parameters.size(); ++i) {
    auto attributes = std::make_unique<ConstantAttributes>();
    attributes->value = test_case.inferences[0].inputs[i];
    Replace(*model, *parameters[i], "Constant", std::move(attributes));
  }
  DOVETAIL_RETURN_IF_ERROR(model->Infer());
  return model;
}

bool IsRandom(const OperationCase& test_case) {
  const auto& nodes = test_case.model->nodes();
  return std::any_of(nodes.begin(), nodes.end(), [](const auto& node) {
    return node->op().Has(kNondeterministic);
  });
}

}  // namespace dovetail
