#include "dovetail/core/plugin/query.h"

#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/graph/fused_names.h"

namespace dovetail {
namespace {

// Why layers of the original model cannot run, by name; those that are not in
// it can.
using Refusals = std::map<std::string, absl::Status>;

bool IsBoundary(const Node& node) {
  return node.Is("Parameter") || node.Is("Constant") || node.Is("Result");
}

// The original layers that a lowered node stands for. A node that a pass has
// put in without a name of the original belongs to those that it serves.
std::set<std::string> OriginalNames(const Node& node,
                                    const std::set<std::string>& originals) {
  const auto known = [&](const Node& n) {
    std::set<std::string> names;
    for (const std::string& name : FusedNames(n)) {
      if (originals.count(name) > 0) names.insert(name);
    }
    return names;
  };
  std::set<std::string> names = known(node);
  if (!names.empty()) return names;
  for (int i = 0; i < node.output_count(); ++i) {
    for (const Use& use : node.port(i).uses) names.merge(known(*use.node));
  }
  for (const Value& input : node.inputs()) {
    if (names.empty() && input) names.merge(known(*input.node));
  }
  return names;
}

// No device can compile what nothing infers, whatever it says itself.
absl::Status Answer(const Plugin& plugin, const Node& node) {
  if (node.op().infer == nullptr) {
    return Unimplemented(node.Describe(), ": no shape inference for ",
                         node.op().ToString(), " yet");
  }
  return plugin.Supports(node);
}

Refusals AskForEachNode(const Plugin& plugin, const Model& lowered,
                        const std::set<std::string>& originals) {
  Refusals refusals;
  for (const auto& node : lowered.nodes()) {
    if (IsBoundary(*node)) continue;
    const absl::Status answer = Answer(plugin, *node);
    if (answer.ok()) continue;
    for (const std::string& name : OriginalNames(*node, originals)) {
      refusals.emplace(name, answer);
    }
  }
  return refusals;
}

// The reason of the first refused layer that a constant or parameter feeds, or
// that a result reads.
absl::Status NeighbourReason(const Node& node, const Refusals& refusals) {
  const auto reason = [&](const Node& neighbour) {
    const auto it = refusals.find(neighbour.name());
    return it == refusals.end() ? absl::OkStatus() : it->second;
  };
  if (node.Is("Result")) {
    return node.input_count() > 0 && node.input(0)
               ? reason(*node.input(0).node)
               : absl::OkStatus();
  }
  for (int i = 0; i < node.output_count(); ++i) {
    for (const Use& use : node.port(i).uses) {
      const absl::Status status = reason(*use.node);
      if (!status.ok()) return status;
    }
  }
  return absl::OkStatus();
}

}  // namespace

bool QueryResult::all_supported() const {
  for (const Layer& layer : layers) {
    if (!layer.reason.ok()) return false;
  }
  return true;
}

const QueryResult::Layer* QueryResult::Find(absl::string_view name) const {
  for (const Layer& layer : layers) {
    if (layer.name == name) return &layer;
  }
  return nullptr;
}

absl::StatusOr<QueryResult> QueryModel(const Plugin& plugin,
                                       const Model& model,
                                       const Config& config) {
  // Passes rely on it, and whoever made the model may have made mistakes.
  DOVETAIL_RETURN_IF_ERROR(model.Verify());
  DOVETAIL_ASSIGN_OR_RETURN(const std::vector<Node*> order,
                            model.TopologicalOrder());
  std::set<std::string> originals;
  for (const Node* node : order) {
    if (!IsBoundary(*node)) originals.insert(node->name());
  }
  const std::unique_ptr<Model> lowered = model.Clone();
  DOVETAIL_RETURN_IF_ERROR(plugin.Lower(*lowered, config));
  const Refusals refusals = AskForEachNode(plugin, *lowered, originals);

  QueryResult result;
  for (const Node* node : order) {
    QueryResult::Layer layer;
    layer.name = node->name();
    layer.type = node->op().ToString();
    if (IsBoundary(*node)) {
      layer.reason = NeighbourReason(*node, refusals);
    } else if (const auto it = refusals.find(node->name());
               it != refusals.end()) {
      layer.reason = it->second;
    }
    if (layer.reason.ok()) layer.device = std::string(plugin.name());
    result.layers.push_back(std::move(layer));
  }
  return result;
}

absl::Status CheckSupported(const Plugin& plugin, const Model& model) {
  std::vector<std::string> reasons;
  for (const auto& node : model.nodes()) {
    if (IsBoundary(*node)) continue;
    const absl::Status answer = Answer(plugin, *node);
    if (answer.ok()) continue;
    // The node is named once, whether or not the reason names it too.
    const std::string who = node->Describe();
    std::string reason(answer.message());
    if (reason.find(who) == std::string::npos) {
      reason = absl::StrCat(who, ": ", reason);
    }
    reasons.push_back(std::move(reason));
  }
  if (reasons.empty()) return absl::OkStatus();
  return Unimplemented("device ", plugin.name(), " cannot run ",
                       reasons.size(), " of the layers of '", model.name(),
                       "': ", absl::StrJoin(reasons, "; "));
}

}  // namespace dovetail
