#include "dovetail/transformations/decompose/control/inline_body.h"

#include <algorithm>
#include <map>
#include <memory>

#include "absl/strings/str_cat.h"
#include "dovetail/core/graph/body.h"

namespace dovetail {
namespace {

bool CanCopy(const Node& node) {
  return !node.op().Has(kNondeterministic) && !node.op().Has(kReadsState) &&
         !node.op().Has(kHasSideEffect);
}

}  // namespace

bool CanInline(const Model& body) {
  return std::all_of(
      body.nodes().begin(), body.nodes().end(), [](const auto& node) {
        return CanCopy(*node) &&
               std::all_of(node->bodies().begin(), node->bodies().end(),
                           [](const auto& inner) {
                             return CanInline(*inner->model);
                           });
      });
}

std::vector<Value> InlineBody(NodeBuilder& b, const Model& body,
                              const std::vector<Value>& parameters) {
  std::vector<Value> results(body.results().size());
  const auto order = body.TopologicalOrder();
  b.Update(order.status());
  if (!order.ok()) return results;
  std::map<Value, Value> copies;
  for (size_t i = 0; i < parameters.size(); ++i) {
    copies[body.parameters()[i]->output()] = parameters[i];
  }
  for (Node* node : *order) {
    if (!b.status().ok()) return results;
    if (node->Is("Parameter") || node->Is("Result")) continue;
    std::vector<Value> inputs;
    for (Value input : node->inputs()) inputs.push_back(copies[input]);
    Node* copy = b.model().AddUninferred(
        node->op(), inputs, node->attributes().Clone(),
        absl::StrCat(b.node().name(), "/", node->name()));
    for (const auto& inner : node->bodies()) {
      copy->bodies().push_back(inner->Clone());
    }
    b.Update(copy->Infer());
    const std::vector<Value> outputs = b.Adopt(copy);
    for (int i = 0; i < node->output_count(); ++i) {
      if (i < copy->output_count()) copies[node->output(i)] = outputs[i];
    }
  }
  for (size_t i = 0; i < results.size(); ++i) {
    results[i] = copies[body.results()[i]->input(0)];
  }
  return results;
}

}  // namespace dovetail
