// Taking the layers out of a model that nobody knows, so that the others can be
// asked about.
#ifndef DOVETAIL_CORE_PLUGIN_CUT_UNKNOWN_H_
#define DOVETAIL_CORE_PLUGIN_CUT_UNKNOWN_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "dovetail/core/graph/model.h"

namespace dovetail {

// OK, or kUnimplemented that names the layer whose shapes nothing infers: the
// node itself or one in its bodies.
absl::Status CheckInference(const Node& node);

// Removes the nodes that CheckInference refuses: passes may infer a model anew,
// which one of them would stop. New parameters of the same types and shapes
// give what these gave, and new results read what these read. Returns their
// names with the reasons.
absl::StatusOr<std::vector<std::pair<std::string, absl::Status>>> CutUnknown(
    Model& model);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_PLUGIN_CUT_UNKNOWN_H_
