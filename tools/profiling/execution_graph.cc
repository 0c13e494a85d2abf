#include "dovetail/tools/profiling/execution_graph.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/string_view.h"
#include "dovetail/core/graph/structural.h"

namespace dovetail::profiling {
namespace {

std::string Says(const Node& node, absl::string_view key) {
  const std::string* const text = node.rt_info().Find({key});
  return text == nullptr ? "" : *text;
}

// As the device runs them, which is a topological order, too.
std::vector<const Node*> InOrder(const Model& described) {
  std::vector<std::pair<int64_t, const Node*>> nodes;
  for (const auto& node : described.nodes()) {
    int64_t order = 0;
    if (!absl::SimpleAtoi(Says(*node, "execOrder"), &order)) order = 0;
    nodes.emplace_back(order, node.get());
  }
  std::stable_sort(
      nodes.begin(), nodes.end(),
      [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<const Node*> sorted;
  for (const auto& [order, node] : nodes) sorted.push_back(node);
  return sorted;
}

int64_t OutputBytes(const Node& node) {
  int64_t bytes = 0;
  for (int i = 0; i < node.output_count(); ++i) {
    const auto shape = node.port(i).shape.ToShape();
    if (!shape.ok()) continue;
    bytes += (shape->Count() * BitWidth(node.port(i).type) + 7) / 8;
  }
  return bytes;
}

// The step of each node: those that are computed together have one, in the
// order in which they come. Views and results have none.
std::vector<int> StepsOf(const std::vector<ExecutedNode>& nodes) {
  std::map<std::string, int> steps;
  std::vector<int> of_nodes;
  for (const ExecutedNode& node : nodes) {
    const bool runs = node.kernel != "view" && node.node->output_count() > 0 &&
                      node.node->As<ParameterAttributes>() == nullptr;
    const std::string& leader =
        node.into.empty() ? node.node->name() : node.into;
    of_nodes.push_back(
        runs ? steps.emplace(leader, static_cast<int>(steps.size()))
                   .first->second
             : -1);
  }
  return of_nodes;
}

// The last step that reads each node, through views; -1: none does. The user
// reads outputs at `end`. Readers come after what they read, so one way back
// through the list is enough.
std::vector<int> LastReaders(const std::vector<ExecutedNode>& nodes,
                             const std::vector<int>& steps, int end) {
  std::vector<int> last(nodes.size(), -1);
  for (size_t i = nodes.size(); i-- > 0;) {
    const bool is_result = nodes[i].node->output_count() == 0;
    const int reads = is_result ? end : steps[i] == -1 ? last[i] : steps[i];
    for (const int input : nodes[i].inputs) {
      last[input] = std::max(last[input], reads);
    }
  }
  return last;
}

}  // namespace

std::vector<ExecutedNode> ExecutedNodes(const Model& described) {
  std::vector<ExecutedNode> nodes;
  std::unordered_map<const Node*, int> indices;
  for (const Node* node : InOrder(described)) {
    if (node->As<ConstantAttributes>() != nullptr) continue;
    ExecutedNode executed{node,
                          Says(*node, "primitiveType"),
                          Says(*node, "runtimePrecision"),
                          Says(*node, "outputLayouts"),
                          Says(*node, "fusedInto"),
                          {}};
    std::set<int> inputs;
    for (const Value& value : node->inputs()) {
      const auto from = indices.find(value.node);
      if (from != indices.end()) inputs.insert(from->second);
    }
    executed.inputs.assign(inputs.begin(), inputs.end());
    indices[node] = static_cast<int>(nodes.size());
    nodes.push_back(std::move(executed));
  }
  return nodes;
}

std::vector<LiveTensor> LiveTensors(const std::vector<ExecutedNode>& nodes) {
  std::vector<LiveTensor> tensors;
  if (nodes.empty()) return tensors;
  const std::vector<int> steps = StepsOf(nodes);
  const int end = *std::max_element(steps.begin(), steps.end()) + 1;
  const std::vector<int> last = LastReaders(nodes, steps, end);
  for (size_t i = 0; i < nodes.size(); ++i) {
    const Node& node = *nodes[i].node;
    const bool is_input = node.As<ParameterAttributes>() != nullptr;
    const int first = is_input ? 0 : steps[i];
    // What its own step alone reads never comes to memory.
    if ((!is_input && steps[i] == -1) || last[i] < first ||
        (!is_input && last[i] == first)) {
      continue;
    }
    const int64_t bytes = OutputBytes(node);
    if (bytes == 0) continue;
    tensors.push_back({node.name(), std::string(node.op().type), bytes, first,
                       std::max(first, std::min(last[i], end - 1))});
  }
  return tensors;
}

}  // namespace dovetail::profiling
