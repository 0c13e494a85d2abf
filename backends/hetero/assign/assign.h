// The device of each layer of a model.
#ifndef DOVETAIL_BACKENDS_HETERO_ASSIGN_ASSIGN_H_
#define DOVETAIL_BACKENDS_HETERO_ASSIGN_ASSIGN_H_

#include <map>
#include <string>
#include <unordered_set>
#include <vector>

#include "absl/status/statusor.h"
#include "dovetail/backends/hetero/parts/partition.h"
#include "dovetail/core/graph/model.h"
#include "dovetail/core/plugin/host.h"
#include "dovetail/core/plugin/query_result.h"

namespace dovetail::hetero {

struct AssignedLayers {
  // A layer that no device runs has none, and for a reason those of all of
  // them; one whose affinity cannot be says why.
  QueryResult layers;
  // Of each device the layers that it would run.
  std::map<std::string, std::unordered_set<const Node*>> runs;
};

// Asks each device what it would run. A layer is for the device that its
// "affinity" in rt_info names, else for the first of `devices` that runs it;
// what computes with shapes follows those that read it.
absl::StatusOr<AssignedLayers> AssignLayers(
    const Model& model, const std::vector<std::string>& devices,
    const PluginCall& call);

// The devices of all nodes that compute something, of AssignLayers's answer.
// kUnimplemented lists the layers that have none, with their reasons.
absl::StatusOr<Assignment> AssignmentOf(const Model& model,
                                        const QueryResult& layers);

}  // namespace dovetail::hetero

#endif  // DOVETAIL_BACKENDS_HETERO_ASSIGN_ASSIGN_H_
