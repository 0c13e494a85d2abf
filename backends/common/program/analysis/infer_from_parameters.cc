#include "dovetail/backends/common/program/analysis/infer_from_parameters.h"

#include <algorithm>
#include <unordered_set>
#include <vector>

#include "dovetail/core/base/status.h"

namespace dovetail {

absl::Status InferFromParameters(Model& model) {
  DOVETAIL_ASSIGN_OR_RETURN(const std::vector<Node*> order,
                            model.TopologicalOrder());
  std::unordered_set<const Node*> stale(model.parameters().begin(),
                                        model.parameters().end());
  for (Node* node : order) {
    const bool reads_stale = std::any_of(
        node->inputs().begin(), node->inputs().end(),
        [&](Value input) { return input && stale.count(input.node) > 0; });
    if (reads_stale) stale.insert(node);
    if (stale.count(node) > 0) DOVETAIL_RETURN_IF_ERROR(node->Infer());
  }
  return absl::OkStatus();
}

}  // namespace dovetail
