#include "dovetail/core/graph/model/order.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "dovetail/core/base/status.h"

namespace dovetail {
namespace {

// Walks a graph depth first with a stack of its own, since graphs may be deeper
// than the thread's stack; lists nodes after those that they depend on.
class DepthFirst {
 public:
  explicit DepthFirst(const Model& model) {
    int64_t end = 0;
    for (const auto& node : model.nodes()) end = std::max(end, node->id() + 1);
    states_.resize(end);
    order_.reserve(model.node_count());
  }

  // What has to come before a node although it is none of its inputs.
  std::unordered_map<const Node*, std::vector<Node*>> also_before;

  // Lists `root` and what it depends on. Answers a node on a cycle, or null.
  Node* Visit(Node* root) {
    if (!Enter(root)) return nullptr;
    Node* on_cycle = nullptr;
    while (!stack_.empty()) {
      Frame& top = stack_.back();
      Node* next = Next(top);
      if (next == nullptr) {
        StateOf(*top.node) = State::kDone;
        order_.push_back(top.node);
        stack_.pop_back();
      } else if (!Enter(next) && StateOf(*next) == State::kOpen) {
        on_cycle = next;
      }
    }
    return on_cycle;
  }

  std::vector<Node*> TakeOrder() { return std::move(order_); }

 private:
  enum class State : uint8_t { kNew, kOpen, kDone };
  struct Frame {
    Node* node;
    int next = 0;
  };

  State& StateOf(const Node& node) {
    const auto id = static_cast<size_t>(node.id());
    // Of another model, which Verify complains of.
    if (id >= states_.size()) states_.resize(id + 1);
    return states_[id];
  }

  bool Enter(Node* node) {
    if (StateOf(*node) != State::kNew) return false;
    StateOf(*node) = State::kOpen;
    stack_.push_back({node});
    return true;
  }

  // The next node that the frame's node depends on; null after the last.
  Node* Next(Frame& frame) {
    const int inputs = frame.node->input_count();
    while (frame.next < inputs) {
      if (Value v = frame.node->input(frame.next++)) return v.node;
    }
    const auto more = also_before.find(frame.node);
    const size_t i = frame.next - inputs;
    if (more == also_before.end() || i >= more->second.size()) return nullptr;
    ++frame.next;
    return more->second[i];
  }

  std::vector<State> states_;  // by the node's id
  std::vector<Frame> stack_;
  std::vector<Node*> order_;
};

// Reads of a variable come before it is assigned.
void AddVariableOrder(const Model& model, DepthFirst& walk) {
  std::map<std::string, std::vector<Node*>> readers;
  for (const auto& node : model.nodes()) {
    if (!node->op().Has(kReadsState)) continue;
    if (auto id = FindStringAttribute(node->attributes(), "variable_id")) {
      readers[*id].push_back(node.get());
    }
  }
  if (readers.empty()) return;
  for (Node* sink : model.sinks()) {
    const auto id = FindStringAttribute(sink->attributes(), "variable_id");
    if (!id.has_value() || sink->op().Has(kReadsState)) continue;
    if (const auto found = readers.find(*id); found != readers.end()) {
      walk.also_before[sink] = found->second;
    }
  }
}

}  // namespace

absl::StatusOr<std::vector<Node*>> Model::TopologicalOrder() const {
  DepthFirst walk(*this);
  AddVariableOrder(*this, walk);
  // Parameters stay in the order in which users count them.
  for (size_t i = 1; i < parameters_.size(); ++i) {
    walk.also_before[parameters_[i]].push_back(parameters_[i - 1]);
  }
  for (const auto& node : nodes_) {
    if (const Node* on_cycle = walk.Visit(node.get()); on_cycle != nullptr) {
      return InvalidArgument(on_cycle->Describe(), ": is on a cycle of model '",
                             name_, "'");
    }
  }
  return walk.TakeOrder();
}

std::vector<Node*> CanonicalOrder(const Model& model) {
  DepthFirst walk(model);
  for (Node* node : model.parameters()) walk.Visit(node);
  for (Node* node : model.results()) walk.Visit(node);
  for (Node* node : model.sinks()) walk.Visit(node);
  for (const auto& node : model.nodes()) walk.Visit(node.get());
  return walk.TakeOrder();
}

}  // namespace dovetail
