#include "dovetail/backends/cpu/steps/elementwise/group.h"

#include <algorithm>
#include <set>

#include "dovetail/backends/cpu/steps/elementwise/instruction.h"

namespace dovetail::cpu {
namespace {

// More would not fit into the registers of a program.
constexpr size_t kMostNodes = 32;
constexpr size_t kMostInputs = 10;

class Grower {
 public:
  Grower(const Node& anchor, const PlanBuilder& builder) : builder_(builder) {
    group_.shape = PlanBuilder::ShapeOf(PlanBuilder::OutputOf(anchor));
    Take(anchor);
  }

  ElementwiseGroup Run() {
    for (size_t i = 0; i < group_.nodes.size(); ++i) {
      if (!MayBeUsedWithin(*group_.nodes[i])) continue;
      TakeFollowers(*group_.nodes[i]);
    }
    return std::move(group_);
  }

 private:
  // A follower may become ready by another one, which then takes it.
  void TakeFollowers(const Node& node) {
    for (const Use& use : node.port().uses) {
      if (group_.nodes.size() >= kMostNodes) return;
      if (group_.Has(use.node) || !Fits(*use.node)) continue;
      Take(*use.node);
    }
  }

  bool Fits(const Node& node) const {
    if (!IsInstruction(node) || builder_.IsDone(node)) return false;
    if (!node.has_uses()) return false;
    if (PlanBuilder::ShapeOf(PlanBuilder::OutputOf(node)) != group_.shape) {
      return false;
    }
    size_t inputs = inputs_.size();
    for (const Value value : node.inputs()) {
      if (!value) continue;
      if (group_.Has(value.node)) {
        if (!MayBeUsedWithin(*value.node)) return false;
        continue;
      }
      if (!builder_.IsReady(value)) return false;
      if (inputs_.count(value) == 0) ++inputs;
    }
    return inputs <= kMostInputs;
  }

  void Take(const Node& node) {
    group_.nodes.push_back(&node);
    for (const Value value : node.inputs()) {
      if (value && !group_.Has(value.node)) inputs_.insert(value);
    }
  }

  const PlanBuilder& builder_;
  ElementwiseGroup group_;
  std::set<Value> inputs_;
};

}  // namespace

bool ElementwiseGroup::Has(const Node* node) const {
  return std::find(nodes.begin(), nodes.end(), node) != nodes.end();
}

std::vector<const Node*> ElementwiseGroup::Outputs() const {
  std::vector<const Node*> outputs;
  for (const Node* node : nodes) {
    const auto is_outside = [this](const Use& use) { return !Has(use.node); };
    const auto& uses = node->port().uses;
    if (std::any_of(uses.begin(), uses.end(), is_outside)) {
      outputs.push_back(node);
    }
  }
  return outputs;
}

ElementwiseGroup GrowGroup(const Node& anchor, const PlanBuilder& builder) {
  return Grower(anchor, builder).Run();
}

}  // namespace dovetail::cpu
