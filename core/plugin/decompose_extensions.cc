#include "dovetail/core/plugin/decompose_extensions.h"

#include <vector>

#include "dovetail/core/base/status.h"
#include "dovetail/core/pass/for_each_model.h"

namespace dovetail {
namespace {

// One may decompose into another, but not without end.
constexpr int kMaxRounds = 16;

bool IsToDecompose(const Plugin& plugin, const Node& node,
                   const PluginCall& call) {
  const ExtensionOp* extension = node.op().extension;
  if (extension == nullptr || extension->decompose == nullptr) return false;
  const absl::StatusOr<Support> support = plugin.Supports(node, call);
  return !support.ok() || support->how == "host";
}

absl::StatusOr<bool> DecomposeOnce(const Plugin& plugin, Model& model,
                                   const PluginCall& call) {
  std::vector<Node*> found;
  for (const auto& node : model.nodes()) {
    if (IsToDecompose(plugin, *node, call)) found.push_back(node.get());
  }
  for (Node* node : found) {
    DOVETAIL_RETURN_IF_ERROR(node->op().extension->decompose(model, *node));
  }
  return !found.empty();
}

}  // namespace

absl::Status DecomposeExtensions(const Plugin& plugin, Model& model,
                                 const PluginCall& call) {
  return ForEachModel(model,
                      [&](Model& each) -> absl::StatusOr<bool> {
                        for (int round = 0; round < kMaxRounds; ++round) {
                          DOVETAIL_ASSIGN_OR_RETURN(
                              const bool changed,
                              DecomposeOnce(plugin, each, call));
                          if (!changed) return round > 0;
                        }
                        return InvalidArgument(
                            "operations of extensions in '", each.name(),
                            "' decompose into each other in a circle");
                      })
      .status();
}

}  // namespace dovetail
