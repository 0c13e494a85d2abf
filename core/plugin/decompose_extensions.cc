#include "dovetail/core/plugin/decompose_extensions.h"

#include <set>
#include <string>
#include <vector>

#include "dovetail/core/base/status.h"
#include "dovetail/core/pass/for_each_model.h"

namespace dovetail {
namespace {

// One may decompose into another, but not without end.
constexpr int kMaxRounds = 16;

bool HasFormula(const Node& node) {
  return node.op().extension != nullptr &&
         node.op().extension->decompose != nullptr;
}

bool IsToDecompose(const Plugin& plugin, const Node& node,
                   const PluginCall& call) {
  if (!HasFormula(node)) return false;
  const absl::StatusOr<Support> support = plugin.Supports(node, call);
  return !support.ok() || support->how == "host";
}

// The names of those that a device takes when it has seen the whole model, as
// by a custom kernel that a user has given it.
absl::StatusOr<std::set<std::string>> TakenWhenLowered(const Plugin& plugin,
                                                       const Model& model,
                                                       const PluginCall& call) {
  std::set<std::string> taken;
  const std::unique_ptr<Model> copy = model.Clone();
  // What cannot be lowered so has to be decomposed.
  if (!plugin.Lower(*copy, call).ok()) return taken;
  DOVETAIL_RETURN_IF_ERROR(
      ForEachModel(*copy, [&](Model& each) -> absl::StatusOr<bool> {
        for (const auto& node : each.nodes()) {
          if (HasFormula(*node) && !IsToDecompose(plugin, *node, call)) {
            taken.insert(node->name());
          }
        }
        return false;
      }).status());
  return taken;
}

std::vector<Node*> Candidates(const Plugin& plugin, const Model& model,
                              const std::set<std::string>& taken,
                              const PluginCall& call) {
  std::vector<Node*> found;
  for (const auto& node : model.nodes()) {
    if (taken.count(node->name()) == 0 && IsToDecompose(plugin, *node, call)) {
      found.push_back(node.get());
    }
  }
  return found;
}

absl::StatusOr<bool> DecomposeIn(const Plugin& plugin, Model& model,
                                 const std::set<std::string>& taken,
                                 const PluginCall& call) {
  for (int round = 0; round < kMaxRounds; ++round) {
    const std::vector<Node*> found = Candidates(plugin, model, taken, call);
    if (found.empty()) return round > 0;
    for (Node* node : found) {
      DOVETAIL_RETURN_IF_ERROR(node->op().extension->decompose(model, *node));
    }
  }
  return InvalidArgument("operations of extensions in '", model.name(),
                         "' decompose into each other in a circle");
}

}  // namespace

absl::Status DecomposeExtensions(const Plugin& plugin, Model& model,
                                 const PluginCall& call) {
  bool any = false;
  DOVETAIL_RETURN_IF_ERROR(
      ForEachModel(model, [&](Model& each) -> absl::StatusOr<bool> {
        any = any || !Candidates(plugin, each, {}, call).empty();
        return false;
      }).status());
  if (!any) return absl::OkStatus();
  DOVETAIL_ASSIGN_OR_RETURN(const std::set<std::string> taken,
                            TakenWhenLowered(plugin, model, call));
  return ForEachModel(model,
                      [&](Model& each) {
                        return DecomposeIn(plugin, each, taken, call);
                      })
      .status();
}

}  // namespace dovetail
