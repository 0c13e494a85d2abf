#include "dovetail/backends/hetero/assign/variable_ways.h"

#include <map>
#include <set>
#include <string>

#include "absl/algorithm/container.h"
#include "dovetail/core/ops/state/variable.h"

namespace dovetail::hetero {
namespace {

using Nodes = std::set<const Node*>;

Nodes WithReaders(const std::vector<Node*>& order, Nodes nodes) {
  for (const Node* node : order) {
    const auto is_read = [&](Value input) {
      return nodes.count(input.node) > 0;
    };
    if (absl::c_any_of(node->inputs(), is_read)) nodes.insert(node);
  }
  return nodes;
}

Nodes WithWhatTheyRead(const std::vector<Node*>& order, Nodes nodes) {
  for (auto it = order.rbegin(); it != order.rend(); ++it) {
    if (nodes.count(*it) == 0) continue;
    for (const Value input : (*it)->inputs()) nodes.insert(input.node);
  }
  return nodes;
}

}  // namespace

std::vector<std::vector<size_t>> VariableWays(const std::vector<Node*>& order) {
  std::map<std::string, Nodes> variables;
  for (const Node* node : order) {
    const std::string* const id = VariableIdOf(*node);
    if (id != nullptr) variables[*id].insert(node);
  }
  std::vector<std::vector<size_t>> ways;
  for (const auto& [id, nodes] : variables) {
    const Nodes after = WithReaders(order, nodes);
    const Nodes before = WithWhatTheyRead(order, nodes);
    ways.emplace_back();
    for (size_t i = 0; i < order.size(); ++i) {
      if (after.count(order[i]) > 0 && before.count(order[i]) > 0) {
        ways.back().push_back(i);
      }
    }
  }
  return ways;
}

}  // namespace dovetail::hetero
