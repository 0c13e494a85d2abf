// Run-time information: free names and texts that travel with a model, a node
// or a port, such as the names of the layers that a pass has fused into one, or
// the labels of a classifier's outputs.
#ifndef DOVETAIL_CORE_GRAPH_RT_INFO_H_
#define DOVETAIL_CORE_GRAPH_RT_INFO_H_

#include <map>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace dovetail {

// A tree: a text, and children by name. A node's or port's attribute is a child
// named after it whose own children are its values, as in
// {"fused_names_0": {"value": "conv1,relu1"}}.
struct RtInfo {
  std::string value;
  std::map<std::string, RtInfo> children;

  bool empty() const { return value.empty() && children.empty(); }
  // The text at the end of a path; null when there is no such entry.
  const std::string* Find(absl::Span<const absl::string_view> path) const;
  // Sets the text at the end of a path, making what lacks on the way.
  void Set(absl::Span<const absl::string_view> path, absl::string_view text);

  friend bool operator==(const RtInfo& a, const RtInfo& b) {
    return a.value == b.value && a.children == b.children;
  }
};

}  // namespace dovetail

#endif  // DOVETAIL_CORE_GRAPH_RT_INFO_H_
