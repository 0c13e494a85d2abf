// Which layers of a model a plugin can run: clones the model, lets the plugin
// lower it, asks for each node, and maps the answers back to the layers of the
// original through the fused names that passes leave behind.
#ifndef DOVETAIL_CORE_PLUGIN_QUERY_H_
#define DOVETAIL_CORE_PLUGIN_QUERY_H_

#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "dovetail/core/graph/model.h"
#include "dovetail/core/plugin/plugin.h"

namespace dovetail {

struct QueryResult {
  struct Layer {
    std::string name;     // friendly name in the original model
    std::string type;     // "Convolution-1"
    std::string device;   // where it can run; empty: nowhere
    absl::Status reason;  // why not, when it cannot
  };
  // In topological order of the original.
  std::vector<Layer> layers;

  bool all_supported() const;
  const Layer* Find(absl::string_view name) const;
};

// A layer is supported when every lowered node that stands for it is; one that
// the passes have removed counts as supported. Constants and parameters follow
// their consumers. Errors as of Model::Verify and of the plugin's Lower.
absl::StatusOr<QueryResult> QueryModel(const Plugin& plugin,
                                       const Model& model,
                                       const Config& config);

// Whether all nodes of a lowered model can run: one kUnimplemented that lists
// every layer that cannot, with its reason. What a plugin's Compile answers,
// and its Supports for the bodies of a node.
absl::Status CheckSupported(const Plugin& plugin, const Model& model);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_PLUGIN_QUERY_H_
