#include "dovetail/backends/common/program/variables/variable_ports.h"

#include <algorithm>
#include <map>
#include <unordered_set>
#include <utility>

#include "dovetail/core/base/status.h"
#include "dovetail/core/graph/body.h"
#include "dovetail/core/ops/state/variable.h"
#include "dovetail/core/ops/structural/extract_model.h"
#include "dovetail/core/ops/structural/structural.h"
#include "dovetail/core/plugin/lowered/lowered_model.h"

namespace dovetail {
namespace {

// What reads and what writes a variable; null: nothing.
struct Access {
  Node* read = nullptr;
  Node* write = nullptr;
};
using Accesses = std::map<std::string, Access>;

// Nothing where one is read or written twice, or in a body.
std::optional<Accesses> AccessesOf(const Model& model) {
  Accesses accesses;
  for (const auto& node : model.nodes()) {
    for (const auto& body : node->bodies()) {
      if (!FindVariables(*body->model).empty()) return std::nullopt;
    }
    const std::string* const id = VariableIdOf(*node);
    if (id == nullptr) continue;
    Access& access = accesses[*id];
    Node*& place = node->Is("Assign") ? access.write : access.read;
    if (place != nullptr) return std::nullopt;
    place = node.get();
  }
  return accesses;
}

// What the variable is before it is first written; none: that cannot be said.
// Without a value of its own it is zeros, as the reference kernel has it.
absl::StatusOr<Value> BeginsWith(const Node& read, Model& model) {
  if (read.input_count() > 0 && read.input(0)) {
    const bool is_right = read.input(0).type() == read.port().type;
    return is_right ? read.input(0) : Value();
  }
  const auto* attributes = read.As<ReadValueAttributes>();
  if (attributes == nullptr || !attributes->variable_shape.rank_known()) {
    return Value();
  }
  DOVETAIL_ASSIGN_OR_RETURN(
      const Tensor zeros,
      Tensor::Allocate(read.port().type,
                       Shape(attributes->variable_shape.MinDims())));
  DOVETAIL_ASSIGN_OR_RETURN(Node* const constant, AddConstant(model, zeros));
  return constant->output();
}

// The nodes that `values` are computed by, in order; nothing if one of them
// touches a variable.
std::optional<std::vector<const Node*>> NodesBehind(
    const std::vector<Node*>& order, const std::vector<Value>& values) {
  std::unordered_set<const Node*> needed;
  for (Value value : values) needed.insert(value.node);
  std::vector<const Node*> nodes;
  for (auto it = order.rbegin(); it != order.rend(); ++it) {
    const Node* const node = *it;
    if (needed.count(node) == 0 || node->op().Has(kStructural)) continue;
    if (VariableIdOf(*node) != nullptr) return std::nullopt;
    nodes.push_back(node);
    for (Value input : node->inputs()) {
      if (input) needed.insert(input.node);
    }
  }
  std::reverse(nodes.begin(), nodes.end());
  return nodes;
}

// Null where what variables begin with depends on variables.
absl::StatusOr<std::shared_ptr<const Model>> InitialModel(
    const Model& model, const std::vector<Value>& values) {
  DOVETAIL_ASSIGN_OR_RETURN(const std::vector<Node*> order,
                            model.TopologicalOrder());
  const auto nodes = NodesBehind(order, values);
  if (!nodes.has_value()) return nullptr;
  std::vector<Value> inputs;
  for (Node* parameter : model.parameters()) {
    inputs.push_back(parameter->output());
  }
  DOVETAIL_ASSIGN_OR_RETURN(std::unique_ptr<Model> initial,
                            ExtractModel(model, inputs, *nodes, values));
  return std::shared_ptr<const Model>(std::move(initial));
}

absl::StatusOr<VariablePorts::Variable> Port(const std::string& id,
                                             const Access& access,
                                             Model& model) {
  VariablePorts::Variable variable{id};
  if (access.read != nullptr) variable.shape = access.read->port().shape;
  if (access.write != nullptr) {
    const Value value = access.write->input(0);
    DOVETAIL_RETURN_IF_ERROR(
        AddResult(model, value, access.write->name()).status());
    variable.result = static_cast<int>(model.results().size()) - 1;
    model.ReplaceUses(access.write->output(), value);
    model.RemoveNode(access.write);
  }
  if (access.read != nullptr) {
    const Value value = access.read->output();
    DOVETAIL_ASSIGN_OR_RETURN(
        Node* const parameter,
        AddParameter(model, value.type(), value.shape(), access.read->name()));
    variable.parameter = static_cast<int>(model.parameters().size()) - 1;
    model.ReplaceUses(value, parameter->output());
    model.RemoveNode(access.read);
  }
  return variable;
}

absl::Status LetGrow(VariablePorts::Variable& variable, size_t own_parameters,
                     Model& model) {
  if (variable.parameter < 0 || variable.result < 0) return absl::OkStatus();
  Node& parameter = *model.parameters()[variable.parameter];
  Node& result = *model.results()[variable.result];
  DOVETAIL_ASSIGN_OR_RETURN(
      variable.growth, GrowOutermost(parameter, result, own_parameters, model));
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::optional<VariablePorts>> MakeVariablePorts(
    std::shared_ptr<const Model> model) {
  VariablePorts ports;
  ports.own_parameters = model->parameters().size();
  ports.own_results = model->results().size();
  if (FindVariables(*model).empty()) {
    ports.model = std::move(model);
    return ports;
  }
  const std::shared_ptr<Model> copy = model->Clone();
  const std::optional<Accesses> accesses = AccessesOf(*copy);
  if (!accesses.has_value()) return std::nullopt;
  std::vector<Value> initial_values;
  for (const auto& [id, access] : *accesses) {
    if (access.read == nullptr) continue;
    DOVETAIL_ASSIGN_OR_RETURN(const Value value,
                              BeginsWith(*access.read, *copy));
    if (!value) return std::nullopt;
    initial_values.push_back(value);
  }
  if (!initial_values.empty()) {
    DOVETAIL_ASSIGN_OR_RETURN(ports.initial,
                              InitialModel(*copy, initial_values));
    if (ports.initial == nullptr) return std::nullopt;
  }
  for (const auto& [id, access] : *accesses) {
    DOVETAIL_ASSIGN_OR_RETURN(VariablePorts::Variable variable,
                              Port(id, access, *copy));
    DOVETAIL_RETURN_IF_ERROR(LetGrow(variable, ports.own_parameters, *copy));
    ports.variables.push_back(std::move(variable));
  }
  copy->RemoveUnused();
  ports.model = copy;
  return ports;
}

}  // namespace dovetail
