#include "dovetail/backends/common/fusion/elementwise_group.h"

#include <algorithm>
#include <set>
#include <utility>

namespace dovetail {
namespace {

Shape ShapeOf(const Node& node) {
  return node.port().shape.ToShape().value_or(Shape());
}

class Grower {
 public:
  Grower(const Node& anchor, bool is_member, const ElementwiseRules& rules)
      : rules_(rules) {
    group_.shape = ShapeOf(anchor);
    group_.nodes.push_back(&anchor);
    if (is_member) NoteInputs(anchor);
  }

  ElementwiseGroup Run() {
    for (size_t i = 0; i < group_.nodes.size(); ++i) {
      if (rules_.is_readable(*group_.nodes[i])) TakeReaders(*group_.nodes[i]);
    }
    return std::move(group_);
  }

 private:
  // A reader may become ready by another one, which then takes it.
  void TakeReaders(const Node& node) {
    for (const Use& use : node.port().uses) {
      if (group_.nodes.size() >= rules_.max_nodes) return;
      if (!group_.Has(use.node)) Take(*use.node);
    }
  }

  // Takes the node and what is lazy of that it reads, or nothing.
  bool Take(const Node& node) {
    if (!node.has_uses() || !rules_.takes(node) ||
        ShapeOf(node) != group_.shape) {
      return false;
    }
    const size_t size = group_.nodes.size();
    const std::set<Value> inputs = inputs_;
    if (TakeLazyInputs(node) && Fits(node)) {
      group_.nodes.push_back(&node);
      NoteInputs(node);
      return true;
    }
    group_.nodes.resize(size);
    inputs_ = inputs;
    return false;
  }

  bool TakeLazyInputs(const Node& node) {
    if (rules_.is_lazy == nullptr) return true;
    for (int i = 0; i < node.input_count(); ++i) {
      const Value value = node.input(i);
      if (!value || group_.Has(value.node) || rules_.reads(node, i)) continue;
      if (!rules_.is_lazy(*value.node) || !Take(*value.node)) return false;
    }
    return true;
  }

  bool Fits(const Node& node) const {
    if (group_.nodes.size() >= rules_.max_nodes) return false;
    std::set<Value> inputs = inputs_;
    for (int i = 0; i < node.input_count(); ++i) {
      const Value value = node.input(i);
      if (!value) continue;
      if (group_.Has(value.node)) {
        if (!rules_.is_readable(*value.node)) return false;
        continue;
      }
      if (!rules_.reads(node, i)) return false;
      inputs.insert(value);
    }
    return inputs.size() <= rules_.max_inputs;
  }

  void NoteInputs(const Node& node) {
    for (const Value value : node.inputs()) {
      if (value && !group_.Has(value.node)) inputs_.insert(value);
    }
  }

  const ElementwiseRules& rules_;
  ElementwiseGroup group_;
  std::set<Value> inputs_;
};

}  // namespace

bool ElementwiseGroup::Has(const Node* node) const {
  return std::find(nodes.begin(), nodes.end(), node) != nodes.end();
}

std::vector<const Node*> ElementwiseGroup::Outputs(
    absl::FunctionRef<bool(const Node& reader)> counts) const {
  std::vector<const Node*> outputs;
  for (const Node* node : nodes) {
    const auto& uses = node->port().uses;
    if (std::any_of(uses.begin(), uses.end(), [&](const Use& use) {
          return !Has(use.node) && counts(*use.node);
        })) {
      outputs.push_back(node);
    }
  }
  return outputs;
}

ElementwiseGroup GrowGroup(const Node& anchor, bool is_member,
                           const ElementwiseRules& rules) {
  return Grower(anchor, is_member, rules).Run();
}

// Without the last nodes the others still have all they read.
void KeepOneOutput(ElementwiseGroup& group) {
  while (group.nodes.size() > 1 &&
         group.Outputs() != std::vector<const Node*>{group.nodes.back()}) {
    group.nodes.pop_back();
  }
}

}  // namespace dovetail
