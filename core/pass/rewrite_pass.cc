#include "dovetail/core/pass/rewrite_pass.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>

#include "dovetail/core/base/status.h"
#include "dovetail/core/pass/for_each_model.h"

namespace dovetail {
namespace {

// The node of that id; null when it is gone. Nodes are in order of their ids.
Node* FindById(const Model& model, int64_t id) {
  const auto& nodes = model.nodes();
  const auto found = std::lower_bound(
      nodes.begin(), nodes.end(), id,
      [](const auto& node, int64_t wanted) { return node->id() < wanted; });
  return found != nodes.end() && (*found)->id() == id ? found->get() : nullptr;
}

}  // namespace

absl::StatusOr<bool> RewritePass::Run(Model& model) {
  return ForEachModel(model, [this](Model& each) { return RunOnModel(each); });
}

absl::StatusOr<bool> RewritePass::RunOnModel(Model& model) const {
  DOVETAIL_ASSIGN_OR_RETURN(const std::vector<Node*> order,
                            model.TopologicalOrder());
  // A rewrite may remove nodes further on, so that pointers would dangle.
  std::vector<int64_t> ids;
  for (const Node* node : order) ids.push_back(node->id());
  bool any_changed = false;
  for (int64_t id : ids) {
    Node* node = FindById(model, id);
    if (node == nullptr) continue;
    DOVETAIL_ASSIGN_OR_RETURN(const bool changed, RunOnNode(model, *node));
    any_changed |= changed;
  }
  return any_changed;
}

absl::StatusOr<bool> RewritePass::RunOnNode(Model& model, Node& node) const {
  for (const Rule& rule : rules_) {
    for (int i = 0; i < node.output_count(); ++i) {
      const std::optional<Match> match = rule.pattern.MatchAt(node.output(i));
      if (!match.has_value()) continue;
      DOVETAIL_ASSIGN_OR_RETURN(const bool changed,
                                rule.rewrite(model, *match));
      if (changed) return true;
    }
  }
  return false;
}

}  // namespace dovetail
