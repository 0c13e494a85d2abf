// The layers of the original model that a node stands for. Passes that merge
// nodes note it, so that a query of what a device supports can be answered in
// the names that the user knows.
#ifndef DOVETAIL_CORE_GRAPH_FUSED_NAMES_H_
#define DOVETAIL_CORE_GRAPH_FUSED_NAMES_H_

#include <set>
#include <string>

#include "absl/strings/string_view.h"
#include "dovetail/core/graph/node.h"

namespace dovetail {

// The entry in rt_info is {"fused_names_0": {"value": "conv1,relu1"}}; a comma
// within a name is written "\,", and backslashes in front of it or at the end
// of a name twice. A node without the entry stands for itself.
std::set<std::string> FusedNames(const Node& node);
void SetFusedNames(Node& node, const std::set<std::string>& names);
// `node` stands for what `other` does too. For a pass that makes a new node in
// place of others, whose own name means nothing yet, `SetFusedNames` first.
void AddFusedNames(Node& node, const Node& other);

// The list as rt_info and an IR hold it.
std::string JoinFusedNames(const std::set<std::string>& names);
std::set<std::string> SplitFusedNames(absl::string_view text);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_GRAPH_FUSED_NAMES_H_
