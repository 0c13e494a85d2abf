#include "dovetail/backends/hetero/parts/shape_copies.h"

#include <cstddef>
#include <set>
#include <unordered_set>
#include <utility>

#include "absl/algorithm/container.h"
#include "dovetail/backends/hetero/parts/shape_nodes.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/structural/known_tensor.h"

namespace dovetail::hetero {
namespace {

using Nodes = std::unordered_set<const Node*>;

// Makes the copies that one part needs.
class Copier {
 public:
  Copier(const Part& part, const Nodes& shape_nodes, const RunsOn& runs)
      : device_(part.device),
        own_(part.nodes.begin(), part.nodes.end()),
        shape_nodes_(shape_nodes),
        runs_(runs) {
    for (const Node* node : part.nodes) {
      for (const Value input : node->inputs()) {
        if (shape_nodes_.count(input.node) == 0) there_.insert(input);
      }
    }
  }

  // Nodes of other parts that this one is better off with.
  Nodes Copies() {
    Nodes all;
    for (const Node* node : Nodes(own_)) {
      for (const Value input : node->inputs()) {
        Nodes graph;
        if (input && Take(*input.node, graph)) all.merge(graph);
      }
    }
    return all;
  }

 private:
  // Adds the node to `graph` with all that it needs; false: that cannot be had.
  bool Take(const Node& node, Nodes& graph) {
    if (own_.count(&node) > 0 || graph.count(&node) > 0) return true;
    if (shape_nodes_.count(&node) == 0 || !runs_(node, device_)) return false;
    if (node.op().Has(kReadsOnlyShape)) {
      if (!IsThere(node.input(0))) return false;
    } else {
      for (const Value input : node.inputs()) {
        if (!input || input.node->op().Has(kStructural)) continue;
        if (!Take(*input.node, graph)) return false;
      }
    }
    graph.insert(&node);
    return true;
  }

  bool IsThere(Value value) const {
    return own_.count(value.node) > 0 || there_.count(value) > 0;
  }

  const std::string& device_;
  const Nodes own_;
  const Nodes& shape_nodes_;
  const RunsOn& runs_;
  std::set<Value> there_;  // what own nodes read
};

// Whether parts that read it have it as a constant, without its node.
bool IsKnown(const Node& node) {
  for (int i = 0; i < node.output_count(); ++i) {
    if (!KnownIntegerTensor(node.port(i)).has_value()) return false;
  }
  return node.output_count() > 0 && !node.op().Has(kStructural);
}

// Takes out of parts what only nodes read that have a copy of it or know its
// value, and what was computed for that alone.
class Sweeper {
 public:
  explicit Sweeper(const std::vector<Part>& parts) {
    for (size_t p = 0; p < parts.size(); ++p) {
      const std::vector<const Node*>& nodes = parts[p].nodes;
      members_.emplace_back(nodes.begin(), nodes.end());
      for (const Node* node : nodes) home_.emplace(node, p);
    }
  }

  // From the last node of the model to the first one.
  void Sweep(const std::vector<Node*>& order) {
    for (auto it = order.rbegin(); it != order.rend(); ++it) {
      if (!MayGo(**it)) continue;
      for (size_t p = 0; p < members_.size(); ++p) {
        if (members_[p].count(*it) > 0 && !IsNeeded(**it, p)) {
          members_[p].erase(*it);
        }
      }
    }
  }

  bool Has(size_t part, const Node* node) const {
    return members_[part].count(node) > 0;
  }

 private:
  static bool MayGo(const Node& node) {
    return node.has_uses() && !node.op().Has(kHasSideEffect) &&
           !node.op().Has(kReadsState);
  }

  bool IsNeeded(const Node& node, size_t part) const {
    const bool is_home = home_.at(&node) == part;
    for (int i = 0; i < node.output_count(); ++i) {
      for (const Use& use : node.port(i).uses) {
        if (members_[part].count(use.node) > 0) return true;
        if (is_home && IsReadFromHome(node, *use.node)) return true;
      }
    }
    return false;
  }

  // Whether a result reads it, or a part without a copy.
  bool IsReadFromHome(const Node& node, const Node& reader) const {
    if (reader.op().Has(kStructural)) return true;
    return !IsKnown(node) && absl::c_any_of(members_, [&](const Nodes& part) {
      return part.count(&reader) > 0 && part.count(&node) == 0;
    });
  }

  std::vector<Nodes> members_;                    // by part
  std::unordered_map<const Node*, size_t> home_;  // the first part
};

std::vector<Part> InOrder(const std::vector<Part>& parts,
                          const std::vector<Node*>& order,
                          const Sweeper& sweeper) {
  std::vector<Part> left;
  for (size_t p = 0; p < parts.size(); ++p) {
    Part part = {parts[p].device, {}};
    for (const Node* node : order) {
      if (sweeper.Has(p, node)) part.nodes.push_back(node);
    }
    if (!part.nodes.empty()) left.push_back(std::move(part));
  }
  return left;
}

}  // namespace

absl::StatusOr<std::vector<Part>> WithShapeCopies(const Model& model,
                                                  std::vector<Part> parts,
                                                  const RunsOn& runs) {
  DOVETAIL_ASSIGN_OR_RETURN(const std::vector<Node*> order,
                            model.TopologicalOrder());
  const Nodes shape_nodes = ShapeNodes(order);
  Nodes copied;
  for (Part& part : parts) {
    const Nodes copies = Copier(part, shape_nodes, runs).Copies();
    copied.insert(copies.begin(), copies.end());
    part.nodes.insert(part.nodes.end(), copies.begin(), copies.end());
  }
  const bool any_known =
      absl::c_any_of(order, [](const Node* node) { return IsKnown(*node); });
  if (copied.empty() && !any_known) return parts;
  Sweeper sweeper(parts);
  sweeper.Sweep(order);
  return InOrder(parts, order, sweeper);
}

}  // namespace dovetail::hetero
