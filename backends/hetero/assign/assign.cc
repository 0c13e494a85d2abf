#include "dovetail/backends/hetero/assign/assign.h"

#include <cstddef>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "dovetail/backends/common/parts/part_properties.h"
#include "dovetail/backends/hetero/assign/shape_devices.h"
#include "dovetail/backends/hetero/assign/variable_ways.h"
#include "dovetail/core/base/status.h"

namespace dovetail::hetero {
namespace {

using Answers = std::vector<std::pair<std::string, QueryResult>>;

// With one layer for each node of the model.
absl::StatusOr<Answers> Ask(const Model& model, size_t count,
                            const std::vector<std::string>& devices,
                            const PluginCall& call) {
  Answers answers;
  for (const std::string& device : devices) {
    DOVETAIL_ASSIGN_OR_RETURN(const PropertyMap properties,
                              PropertiesForPart(device, devices, call));
    DOVETAIL_ASSIGN_OR_RETURN(QueryResult answer,
                              call.host.Query(model, device, properties));
    if (answer.layers.size() != count) {
      return Internal("device ", device, " answers a query of ", count,
                      " layers with ", answer.layers.size());
    }
    answers.emplace_back(device, std::move(answer));
  }
  return answers;
}

QueryResult::Layer FirstThatRuns(const Answers& answers, size_t i) {
  std::vector<std::string> reasons;
  for (const auto& [device, answer] : answers) {
    QueryResult::Layer layer = answer.layers[i];
    if (!layer.device.empty()) {
      layer.device = device;
      return layer;
    }
    reasons.push_back(absl::StrCat(device, ": ", layer.reason.message()));
  }
  QueryResult::Layer layer = answers.front().second.layers[i];
  layer.reason = Unimplemented(absl::StrJoin(reasons, "; "));
  return layer;
}

QueryResult::Layer OfAffinity(const Answers& answers, size_t i,
                              const std::string& affinity) {
  for (const auto& [device, answer] : answers) {
    if (device != affinity) continue;
    QueryResult::Layer layer = answer.layers[i];
    if (!layer.device.empty()) layer.device = device;
    return layer;
  }
  const auto name = [](std::string* out, const auto& answer) {
    absl::StrAppend(out, answer.first);
  };
  QueryResult::Layer layer = answers.front().second.layers[i];
  layer.device.clear();
  layer.reason =
      InvalidArgument("its affinity is '", affinity, "'; the devices are ",
                      absl::StrJoin(answers, ", ", name));
  return layer;
}

// As IR of 2021 says it, or the newer ones; null: the devices' order decides.
const std::string* AffinityOf(const Node& node) {
  const std::string* text = node.rt_info().Find({"affinity"});
  if (text == nullptr || text->empty()) {
    text = node.rt_info().Find({"affinity_0", "value"});
  }
  return text != nullptr && !text->empty() ? text : nullptr;
}

// Whether the device runs all these layers, and none has another affinity.
bool RunsAll(const std::pair<std::string, QueryResult>& answer,
             const std::vector<Node*>& order, const std::vector<size_t>& way) {
  return absl::c_all_of(way, [&](size_t i) {
    const std::string* const affinity = AffinityOf(*order[i]);
    const bool may = affinity == nullptr || *affinity == answer.first;
    return may && !answer.second.layers[i].device.empty();
  });
}

// Layers that a variable keeps together go to the first device that runs them
// all; where none does, the cut says what is in its way.
void KeepTogether(const Answers& answers, const std::vector<Node*>& order,
                  QueryResult& result) {
  for (const std::vector<size_t>& way : VariableWays(order)) {
    const auto answer = absl::c_find_if(answers, [&](const auto& candidate) {
      return RunsAll(candidate, order, way);
    });
    if (answer == answers.end()) continue;
    for (const size_t i : way) {
      result.layers[i] = answer->second.layers[i];
      result.layers[i].device = answer->first;
    }
  }
}

std::map<std::string, std::unordered_set<const Node*>> RunsOf(
    const Answers& answers, const std::vector<Node*>& order) {
  std::map<std::string, std::unordered_set<const Node*>> runs;
  for (const auto& [device, answer] : answers) {
    for (size_t i = 0; i < order.size(); ++i) {
      if (!answer.layers[i].device.empty()) runs[device].insert(order[i]);
    }
  }
  return runs;
}

// Shape nodes without an affinity go where they are read.
void PlaceShapeNodes(const Answers& answers, const std::vector<Node*>& order,
                     AssignedLayers& assigned) {
  Assignment devices;
  for (size_t i = 0; i < order.size(); ++i) {
    if (order[i]->op().Has(kStructural)) continue;
    devices[order[i]] = assigned.layers.layers[i].device;
  }
  const auto may_move = [&](const Node& node, const std::string& device) {
    return AffinityOf(node) == nullptr &&
           assigned.runs.at(device).count(&node) > 0;
  };
  MoveShapeNodes(order, may_move, devices);
  for (size_t i = 0; i < order.size(); ++i) {
    QueryResult::Layer& layer = assigned.layers.layers[i];
    const auto it = devices.find(order[i]);
    if (it == devices.end() || it->second == layer.device) continue;
    for (const auto& [device, answer] : answers) {
      if (device == it->second) layer = answer.layers[i];
    }
    layer.device = it->second;
  }
}

}  // namespace

absl::StatusOr<AssignedLayers> AssignLayers(
    const Model& model, const std::vector<std::string>& devices,
    const PluginCall& call) {
  DOVETAIL_ASSIGN_OR_RETURN(const std::vector<Node*> order,
                            model.TopologicalOrder());
  DOVETAIL_ASSIGN_OR_RETURN(const Answers answers,
                            Ask(model, order.size(), devices, call));
  AssignedLayers assigned = {{}, RunsOf(answers, order)};
  QueryResult& result = assigned.layers;
  for (const auto& [device, answer] : answers) {
    for (const std::string& note : answer.notes) {
      result.notes.push_back(absl::StrCat(device, ": ", note));
    }
  }
  for (size_t i = 0; i < order.size(); ++i) {
    const std::string* const affinity = AffinityOf(*order[i]);
    result.layers.push_back(affinity == nullptr
                                ? FirstThatRuns(answers, i)
                                : OfAffinity(answers, i, *affinity));
  }
  KeepTogether(answers, order, result);
  PlaceShapeNodes(answers, order, assigned);
  return assigned;
}

absl::StatusOr<Assignment> AssignmentOf(const Model& model,
                                        const QueryResult& layers) {
  DOVETAIL_ASSIGN_OR_RETURN(const std::vector<Node*> order,
                            model.TopologicalOrder());
  Assignment devices;
  std::vector<std::string> refused;
  for (size_t i = 0; i < order.size(); ++i) {
    if (order[i]->op().Has(kStructural)) continue;
    const QueryResult::Layer& layer = layers.layers[i];
    devices[order[i]] = layer.device;
    if (!layer.device.empty()) continue;
    refused.push_back(
        absl::StrCat(order[i]->Describe(), ": ", layer.reason.message()));
  }
  if (refused.empty()) return devices;
  return Unimplemented("no device runs ", absl::StrJoin(refused, "\n"));
}

}  // namespace dovetail::hetero
