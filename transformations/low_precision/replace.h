// Puts new nodes in place of one.
#ifndef DOVETAIL_TRANSFORMATIONS_LOW_PRECISION_REPLACE_H_
#define DOVETAIL_TRANSFORMATIONS_LOW_PRECISION_REPLACE_H_

#include <vector>

#include "absl/status/status.h"
#include "dovetail/core/graph/model.h"
#include "dovetail/transformations/common/node_builder.h"

namespace dovetail {

// Replaces `node`, which is that of the builder, by values of nodes that the
// builder has added, one for each output. The node that gives the first takes
// over the friendly name. Fails with the builder's error.
inline absl::Status ReplaceByAdded(NodeBuilder& b, Node& node,
                                   const std::vector<Value>& values) {
  if (!b.status().ok()) return b.status();
  values[0].node->set_name(node.name());
  b.model().ReplaceNode(&node, values);
  return absl::OkStatus();
}

}  // namespace dovetail

#endif  // DOVETAIL_TRANSFORMATIONS_LOW_PRECISION_REPLACE_H_
