// The part of Model that changes a graph.
#include <algorithm>
#include <unordered_set>

#include "dovetail/core/graph/fused_names.h"
#include "dovetail/core/graph/model.h"

namespace dovetail {
namespace {

void Erase(std::vector<Node*>& list, const Node* node) {
  list.erase(std::remove(list.begin(), list.end(), node), list.end());
}

bool FeedsResult(const std::vector<Use>& uses) {
  return std::any_of(uses.begin(), uses.end(),
                     [](const Use& use) { return use.node->Is("Result"); });
}

// Users go on finding the output by the names that it had.
void MoveNames(Value from, Value to) {
  std::set<std::string>& names = from.port().names;
  if (names.empty() && from.node->name() != to.node->name()) {
    to.port().names.insert(from.node->name());
  }
  to.port().names.merge(names);
  names.clear();
}

// What results and sinks need, and parameters.
std::unordered_set<const Node*> Needed(const Model& model) {
  std::unordered_set<const Node*> needed;
  std::vector<const Node*> open;
  for (const auto* roots :
       {&model.parameters(), &model.results(), &model.sinks()}) {
    for (const Node* node : *roots) {
      if (needed.insert(node).second) open.push_back(node);
    }
  }
  while (!open.empty()) {
    const Node* node = open.back();
    open.pop_back();
    for (Value input : node->inputs()) {
      if (input && needed.insert(input.node).second) {
        open.push_back(input.node);
      }
    }
  }
  return needed;
}

}  // namespace

void Model::ReplaceUses(Value from, Value to) {
  if (!from || !to || from == to) return;
  const std::vector<Use> uses = from.port().uses;
  if (FeedsResult(uses)) MoveNames(from, to);
  for (const Use& use : uses) {
    if (use.node != to.node) use.node->SetInput(use.input, to);
  }
}

void Model::ReplaceNode(Node* node, absl::Span<const Value> values) {
  const int count = std::min<int>(node->output_count(), values.size());
  for (int i = 0; i < count; ++i) ReplaceUses(node->output(i), values[i]);
  for (int i = 0; i < count; ++i) {
    if (values[i] && values[i].node != node) {
      AddFusedNames(*values[i].node, *node);
    }
  }
  RemoveNode(node);
}

void Model::RemoveNode(Node* node) {
  if (node->has_uses()) return;
  node->TruncateInputs(0);
  Erase(parameters_, node);
  Erase(results_, node);
  Erase(sinks_, node);
  const auto found = std::lower_bound(
      nodes_.begin(), nodes_.end(), node->id(),
      [](const auto& candidate, int64_t id) { return candidate->id() < id; });
  if (found != nodes_.end() && found->get() == node) nodes_.erase(found);
}

int Model::RemoveUnused() {
  const std::unordered_set<const Node*> needed = Needed(*this);
  for (const auto& node : nodes_) {
    if (needed.count(node.get()) == 0) node->TruncateInputs(0);
  }
  const auto end = std::remove_if(
      nodes_.begin(), nodes_.end(),
      [&](const auto& node) { return needed.count(node.get()) == 0; });
  const int removed = static_cast<int>(nodes_.end() - end);
  nodes_.erase(end, nodes_.end());
  return removed;
}

}  // namespace dovetail
