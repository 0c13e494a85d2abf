// Query of the layers of a model that a plugin can run: clones the model, lets
// the plugin lower it, asks for each node, and maps the answers back to the
// layers of the original through the fused names that passes leave behind.
#ifndef DOVETAIL_CORE_PLUGIN_QUERY_H_
#define DOVETAIL_CORE_PLUGIN_QUERY_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "dovetail/core/graph/model.h"
#include "dovetail/core/plugin/plugin.h"
#include "dovetail/core/plugin/query_result.h"

namespace dovetail {

// What Plugin::Query answers where a plugin does not do so itself. A layer is
// supported when every lowered node that stands for it is; one that the passes
// have removed counts as supported. Constants and parameters follow their
// consumers. How a layer runs: as Support says of the node of its own type;
// "fused" when that is one for several layers and of another type, "decomposed"
// when the nodes are others, "removed" when there are none. A layer whose
// operation nothing infers is refused, and the others are lowered without it.
// Errors as of Model::Verify and of the plugin's Lower.
absl::StatusOr<QueryResult> QueryModel(const Plugin& plugin,
                                       const Model& model,
                                       const PluginCall& call);

// Whether all nodes of a lowered model can run: one kUnimplemented that lists
// every layer that cannot, with its reason. What Plugin::Compile answers, and a
// plugin's Supports for the bodies of a node.
absl::Status CheckSupported(const Plugin& plugin, const Model& model,
                            const PluginCall& call);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_PLUGIN_QUERY_H_
