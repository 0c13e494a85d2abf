#include "dovetail/core/plugin/query.h"

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/graph/fused_names.h"
#include "dovetail/core/plugin/cut_unknown.h"
#include "dovetail/core/plugin/decompose_extensions.h"

namespace dovetail {
namespace {

// What is known of a layer of the original model.
struct Answer {
  absl::Status refusal;         // the first one
  std::set<std::string> types;  // of the nodes that stand for it
  std::string how;              // of the node of its own type, else of any
  bool shared = false;          // one of them stands for other layers too
};
// By name. Layers of which no node tells are not in it.
using Answers = std::map<std::string, Answer>;

using Names = std::set<std::string>;

// Those among the originals that the node stands for.
Names KnownNames(const Node& node, const Names& originals) {
  Names names;
  for (const std::string& name : FusedNames(node)) {
    if (originals.count(name) > 0) names.insert(name);
  }
  return names;
}

// Of the nearest readers that stand for originals, on each way.
Names NamesOfReaders(const Node& node, const Names& originals) {
  Names names;
  std::set<const Node*> seen = {&node};
  std::vector<const Node*> next = {&node};
  while (!next.empty()) {
    const Node& from = *next.back();
    next.pop_back();
    for (int i = 0; i < from.output_count(); ++i) {
      for (const Use& use : from.port(i).uses) {
        if (!seen.insert(use.node).second) continue;
        Names known = KnownNames(*use.node, originals);
        if (known.empty()) next.push_back(use.node);
        names.merge(known);
      }
    }
  }
  return names;
}

// The original layers that a lowered node stands for. A node that a pass has
// put in without a name of the original belongs to those that it serves, maybe
// through others of its kind.
Names OriginalNames(const Node& node, const Names& originals) {
  Names names = KnownNames(node, originals);
  if (names.empty()) names = NamesOfReaders(node, originals);
  for (const Value& input : node.inputs()) {
    if (names.empty() && input) names = KnownNames(*input.node, originals);
  }
  return names;
}

// No device can compile what nothing infers, whatever it says itself.
absl::StatusOr<Support> Ask(const Plugin& plugin, const Node& node,
                            const PluginCall& call) {
  DOVETAIL_RETURN_IF_ERROR(CheckInference(node));
  return plugin.Supports(node, call);
}

Answers AskForEachNode(const Plugin& plugin, const Model& lowered,
                       const std::set<std::string>& originals,
                       const PluginCall& call) {
  Answers answers;
  for (const auto& node : lowered.nodes()) {
    if (node->op().Has(kStructural)) continue;
    const absl::StatusOr<Support> support = Ask(plugin, *node, call);
    const std::set<std::string> names = OriginalNames(*node, originals);
    for (const std::string& name : names) {
      Answer& answer = answers[name];
      if (!support.ok()) {
        answer.refusal.Update(support.status());
        continue;
      }
      if (answer.how.empty() || name == node->name()) answer.how = support->how;
      answer.types.insert(std::string(node->op().type));
      answer.shared = answer.shared || names.size() > 1;
    }
  }
  return answers;
}

// The reason of the first refused layer that a constant or parameter feeds, or
// that a result reads.
absl::Status NeighbourReason(const Node& node, const Answers& answers) {
  const auto reason = [&](const Node& neighbour) {
    const auto it = answers.find(neighbour.name());
    return it == answers.end() ? absl::OkStatus() : it->second.refusal;
  };
  if (node.Is("Result")) {
    return node.input_count() > 0 && node.input(0) ? reason(*node.input(0).node)
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

std::string HowItRuns(const Node& original, const Answer& answer) {
  if (answer.types.count(std::string(original.op().type)) > 0) {
    return answer.how;
  }
  return answer.shared ? "fused" : "decomposed";
}

QueryResult::Layer LayerOf(const Node& node, const Answers& answers) {
  QueryResult::Layer layer;
  layer.name = node.name();
  layer.type = node.op().ToString();
  if (node.op().Has(kStructural)) {
    layer.reason = NeighbourReason(node, answers);
    return layer;
  }
  const auto it = answers.find(node.name());
  if (it == answers.end()) {
    layer.how = "removed";
  } else if (it->second.refusal.ok()) {
    layer.how = HowItRuns(node, it->second);
  } else {
    layer.reason = it->second.refusal;
  }
  return layer;
}

}  // namespace

absl::StatusOr<QueryResult> QueryModel(const Plugin& plugin, const Model& model,
                                       const PluginCall& call) {
  // Passes rely on it, and whoever made the model may have made mistakes.
  DOVETAIL_RETURN_IF_ERROR(model.Verify());
  DOVETAIL_ASSIGN_OR_RETURN(const std::vector<Node*> order,
                            model.TopologicalOrder());
  std::set<std::string> originals;
  for (const Node* node : order) {
    if (!node->op().Has(kStructural)) originals.insert(node->name());
  }
  const std::unique_ptr<Model> lowered = model.Clone();
  DOVETAIL_ASSIGN_OR_RETURN(const auto unknown, CutUnknown(*lowered));
  DOVETAIL_RETURN_IF_ERROR(DecomposeExtensions(plugin, *lowered, call));
  DOVETAIL_RETURN_IF_ERROR(plugin.Lower(*lowered, call));
  Answers answers = AskForEachNode(plugin, *lowered, originals, call);
  for (const auto& [name, reason] : unknown) {
    answers[name].refusal.Update(reason);
  }

  QueryResult result;
  for (const Node* node : order) {
    QueryResult::Layer layer = LayerOf(*node, answers);
    if (layer.reason.ok()) layer.device = std::string(plugin.name());
    result.layers.push_back(std::move(layer));
  }
  return result;
}

absl::Status CheckSupported(const Plugin& plugin, const Model& model,
                            const PluginCall& call) {
  std::vector<std::string> reasons;
  for (const auto& node : model.nodes()) {
    if (node->op().Has(kStructural)) continue;
    const absl::Status answer = Ask(plugin, *node, call).status();
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
  return Unimplemented("device ", plugin.name(), " cannot run ", reasons.size(),
                       " of the layers of '", model.name(),
                       "': ", absl::StrJoin(reasons, "; "));
}

}  // namespace dovetail
