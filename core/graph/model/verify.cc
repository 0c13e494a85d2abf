// Model::Verify: whether the structure of a graph is sound.
#include <algorithm>
#include <unordered_set>
#include <vector>

#include "dovetail/core/base/status.h"
#include "dovetail/core/graph/body.h"
#include "dovetail/core/graph/model.h"

namespace dovetail {
namespace {

using NodeSet = std::unordered_set<const Node*>;

template <typename... Parts>
absl::Status Broken(const Node& node, const Parts&... parts) {
  return Internal(node.Describe(), ": ", parts...);
}

absl::Status CheckOp(const Node& node) {
  const OpInfo& op = node.op();
  if (!op.inputs.Contains(node.input_count())) {
    return Broken(node, "has ", node.input_count(), " inputs, takes ",
                  op.inputs.min, " to ", op.inputs.max);
  }
  if (!op.outputs.Contains(node.output_count())) {
    return Broken(node, "has ", node.output_count(), " outputs, gives ",
                  op.outputs.min, " to ", op.outputs.max);
  }
  if (op.make_attributes()->type_name() != node.attributes().type_name()) {
    return Broken(node, "attributes are of another operation");
  }
  if (node.name().empty()) return Broken(node, "has no name");
  if (!node.bodies().empty() && !op.Has(kHasBodies)) {
    return Broken(node, "has a body that its operation does not use");
  }
  return absl::OkStatus();
}

absl::Status CheckInputs(const Node& node, const NodeSet& nodes) {
  for (int i = 0; i < node.input_count(); ++i) {
    const Value input = node.input(i);
    if (!input) return Broken(node, "input ", i, " is not connected");
    if (nodes.count(input.node) == 0) {
      return Broken(node, "input ", i, " comes from outside of the model");
    }
    if (input.index < 0 || input.index >= input.node->output_count()) {
      return Broken(node, "input ", i, " is output ", input.index, " of ",
                    input.node->Describe(), ", which has ",
                    input.node->output_count());
    }
    const auto& uses = input.port().uses;
    const Use use{const_cast<Node*>(&node), i};
    if (std::count(uses.begin(), uses.end(), use) != 1) {
      return Broken(node, "input ", i, " is not noted as a use of ",
                    input.node->Describe());
    }
  }
  return absl::OkStatus();
}

absl::Status CheckUses(const Node& node, const NodeSet& nodes) {
  for (int i = 0; i < node.output_count(); ++i) {
    for (const Use& use : node.port(i).uses) {
      if (nodes.count(use.node) == 0) {
        return Broken(node, "output ", i, " is read outside of the model");
      }
      if (use.input < 0 || use.input >= use.node->input_count() ||
          use.node->input(use.input) != Value{const_cast<Node*>(&node), i}) {
        return Broken(node, "output ", i, " is noted as read by ",
                      use.node->Describe(), ", which reads another");
      }
    }
  }
  return absl::OkStatus();
}

bool Below(int index, size_t count) {
  return index >= 0 && static_cast<size_t>(index) < count;
}

absl::Status CheckBodyPorts(const Node& node, const Body& body) {
  const size_t parameters = body.model->parameters().size();
  const size_t results = body.model->results().size();
  for (const BodyInput& input : body.inputs) {
    if (!Below(input.input, node.input_count()) ||
        !Below(input.parameter, parameters)) {
      return Broken(node, "body binds input ", input.input, " to parameter ",
                    input.parameter, ", one of which does not exist");
    }
  }
  for (const BodyOutput& output : body.outputs) {
    if (!Below(output.output, node.output_count()) ||
        !Below(output.result, results)) {
      return Broken(node, "body binds output ", output.output, " to result ",
                    output.result, ", one of which does not exist");
    }
  }
  for (const BackEdge& edge : body.back_edges) {
    if (!Below(edge.result, results) || !Below(edge.parameter, parameters)) {
      return Broken(node, "a back edge leads from result ", edge.result,
                    " to parameter ", edge.parameter,
                    ", one of which does not exist");
    }
  }
  const int iteration = body.current_iteration_parameter;
  const int condition = body.execution_condition_result;
  if ((iteration != -1 && !Below(iteration, parameters)) ||
      (condition != -1 && !Below(condition, results))) {
    return Broken(node, "the iteration's parameter ", iteration,
                  " or the condition's result ", condition,
                  " does not exist");
  }
  return absl::OkStatus();
}

absl::Status VerifyModel(const Model& model, int depth);

absl::Status CheckBodies(const Node& node, int depth) {
  for (const auto& body : node.bodies()) {
    if (body == nullptr || body->model == nullptr) {
      return Broken(node, "has a body without a model");
    }
    DOVETAIL_RETURN_IF_ERROR(CheckBodyPorts(node, *body));
    DOVETAIL_RETURN_IF_ERROR(
        Annotate(VerifyModel(*body->model, depth + 1), node.Describe()));
  }
  return absl::OkStatus();
}

// A list has exactly the nodes for which `belongs`.
template <typename F>
absl::Status CheckList(const Model& model, const std::vector<Node*>& list,
                       absl::string_view what, F&& belongs) {
  const NodeSet listed(list.begin(), list.end());
  size_t expected = 0;
  for (const auto& node : model.nodes()) {
    if (!belongs(*node)) continue;
    ++expected;
    if (listed.count(node.get()) == 0) {
      return Broken(*node, "is not among the model's ", what);
    }
  }
  if (expected == list.size()) return absl::OkStatus();
  return Internal("model '", model.name(), "': lists ", list.size(), " ", what,
                  ", has ", expected);
}

absl::Status CheckLists(const Model& model) {
  DOVETAIL_RETURN_IF_ERROR(
      CheckList(model, model.parameters(), "parameters",
                [](const Node& node) { return node.Is("Parameter"); }));
  DOVETAIL_RETURN_IF_ERROR(
      CheckList(model, model.results(), "results",
                [](const Node& node) { return node.Is("Result"); }));
  return CheckList(model, model.sinks(), "sinks", [](const Node& node) {
    return node.op().Has(kHasSideEffect);
  });
}

absl::Status VerifyModel(const Model& model, int depth) {
  if (depth > kMaxBodyDepth) {
    return Internal("model '", model.name(), "': bodies are nested over ",
                    kMaxBodyDepth, " deep");
  }
  NodeSet nodes;
  for (const auto& node : model.nodes()) nodes.insert(node.get());
  for (const auto& node : model.nodes()) {
    DOVETAIL_RETURN_IF_ERROR(CheckOp(*node));
    DOVETAIL_RETURN_IF_ERROR(CheckInputs(*node, nodes));
    DOVETAIL_RETURN_IF_ERROR(CheckUses(*node, nodes));
  }
  DOVETAIL_RETURN_IF_ERROR(CheckLists(model));
  if (auto order = model.TopologicalOrder(); !order.ok()) {
    return Internal(order.status().message());
  }
  for (const auto& node : model.nodes()) {
    DOVETAIL_RETURN_IF_ERROR(CheckBodies(*node, depth));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status Model::Verify() const { return VerifyModel(*this, 0); }

}  // namespace dovetail
