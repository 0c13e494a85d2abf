#include "dovetail/transformations/fusion/common/fusion_pass.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <unordered_map>
#include <utility>

#include "dovetail/core/base/status.h"
#include "dovetail/core/graph/fused_names.h"
#include "dovetail/core/pass/for_each_model.h"
#include "dovetail/transformations/common/node_builder.h"
#include "dovetail/transformations/common/output_names.h"
#include "dovetail/transformations/common/precise.h"

namespace dovetail {
namespace {

// How many nodes are looked at in place of one: rules end long before this,
// unless they go round in a circle.
constexpr size_t kMaxInPlaceOfOne = 128;

constexpr uint32_t kNeverSwept = kHasSideEffect | kReadsState;

// The node of that id; null when it is gone. Nodes are in order of their ids.
Node* FindById(const Model& model, int64_t id) {
  const auto& nodes = model.nodes();
  const auto found = std::lower_bound(
      nodes.begin(), nodes.end(), id,
      [](const auto& node, int64_t wanted) { return node->id() < wanted; });
  return found != nodes.end() && (*found)->id() == id ? found->get() : nullptr;
}

std::vector<int64_t> IdsOf(const std::vector<Node*>& nodes) {
  std::vector<int64_t> ids;
  for (const Node* node : nodes) ids.push_back(node->id());
  return ids;
}

std::vector<int64_t> InputIds(const Node& node) {
  std::vector<int64_t> ids;
  for (Value input : node.inputs()) {
    if (input) ids.push_back(input.node->id());
  }
  return ids;
}

// Fuses within one model or body.
class Fuser {
 public:
  Fuser(const std::vector<NodeRule>& rules, Model& model)
      : rules_(rules), model_(model) {}

  absl::StatusOr<bool> Run() {
    DOVETAIL_ASSIGN_OR_RETURN(const std::vector<Node*> order,
                              model_.TopologicalOrder());
    bool changed = false;
    // Nodes further on may be removed on the way.
    for (int64_t id : IdsOf(order)) changed |= Visit(id);
    return changed;
  }

 private:
  bool Visit(int64_t id) {
    std::vector<int64_t> queue = {id};
    bool changed = false;
    for (size_t i = 0; i < queue.size() && i < kMaxInPlaceOfOne; ++i) {
      Node* node = FindById(model_, queue[i]);
      if (node == nullptr || !node->has_uses()) continue;
      for (const NodeRule* rule : RulesFor(node->op())) {
        NodeBuilder builder(model_, *node);
        if (!Apply(*rule, *node, builder)) continue;
        for (int64_t added : IdsOf(builder.added())) queue.push_back(added);
        changed = true;
        break;
      }
    }
    return changed;
  }

  const std::vector<const NodeRule*>& RulesFor(const OpInfo& op) {
    const auto [it, is_new] = by_op_.try_emplace(&op);
    if (!is_new || !op.custom_opset.empty()) return it->second;
    for (const NodeRule& rule : rules_) {
      if (rule.op.Matches(op.type, op.version)) {
        it->second.push_back(&rule);
      }
    }
    return it->second;
  }

  bool Apply(const NodeRule& rule, Node& node, NodeBuilder& builder) {
    Replacement values = rule.make(builder, node);
    if (!builder.status().ok() || !Fits(node, values, builder)) values.clear();
    builder.RemoveUnused(values);
    if (values.empty()) return false;
    for (int i = 0; i < node.output_count(); ++i) {
      Value value = values[i];
      if (!IsNew(builder, value)) continue;
      value.port().shape = *Intersect(node.port(i).shape, value.shape());
    }
    if (IsNew(builder, values[0])) values[0].node->set_name(node.name());
    const std::vector<int64_t> inputs = InputIds(node);
    const std::vector<int64_t> added = IdsOf(builder.added());
    model_.ReplaceNode(&node, values);
    if (Sweep(inputs, *values[0].node)) MarkAll(added);
    return true;
  }

  static bool IsNew(const NodeBuilder& builder, Value value) {
    const auto& added = builder.added();
    return std::find(added.begin(), added.end(), value.node) != added.end();
  }

  static bool Fits(Node& node, const Replacement& values,
                   const NodeBuilder& builder) {
    if (static_cast<int>(values.size()) != node.output_count()) return false;
    std::set<Value> taken;
    for (int i = 0; i < node.output_count(); ++i) {
      const Value value = values[i];
      const OutputPort& old = node.port(i);
      if (!value || value.type() != old.type || !taken.insert(value).second) {
        return false;
      }
      if (!Intersect(old.shape, value.shape()).has_value()) return false;
      if (!IsNew(builder, value) && !KeepsOutputNames(node.output(i), value)) {
        return false;
      }
    }
    return true;
  }

  // What stands for a precise layer is precise.
  void MarkAll(const std::vector<int64_t>& ids) {
    for (const int64_t id : ids) {
      Node* const node = FindById(model_, id);
      if (node != nullptr) MarkPrecise(*node);
    }
  }

  // Removes those nodes that nobody reads, and what they read in turn. Whether
  // one of them was precise.
  bool Sweep(std::vector<int64_t> ids, Node& heir) {
    std::set<std::string> names;
    bool precise = false;
    while (!ids.empty()) {
      Node* node = FindById(model_, ids.back());
      ids.pop_back();
      if (node == nullptr || node == &heir || node->has_uses() ||
          (node->op().traits & kNeverSwept) != 0 || node->Is("Parameter")) {
        continue;
      }
      names.merge(FusedNames(*node));
      precise |= IsPrecise(*node);
      for (int64_t id : InputIds(*node)) ids.push_back(id);
      model_.RemoveNode(node);
    }
    if (names.empty()) return false;
    names.merge(FusedNames(heir));
    SetFusedNames(heir, names);
    return precise;
  }

  const std::vector<NodeRule>& rules_;
  Model& model_;
  std::unordered_map<const OpInfo*, std::vector<const NodeRule*>> by_op_;
};

}  // namespace

FusionPass::FusionPass(absl::string_view name,
                       const std::vector<NodeRules::Family>& families)
    : name_(name) {
  for (NodeRules::Family family : families) {
    rules_.insert(rules_.end(), family().begin(), family().end());
  }
}

absl::StatusOr<bool> FusionPass::Run(Model& model) {
  return ForEachModel(
      model, [this](Model& each) { return Fuser(rules_, each).Run(); });
}

}  // namespace dovetail
