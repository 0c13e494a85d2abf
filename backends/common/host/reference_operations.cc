#include "dovetail/backends/common/host/reference_operations.h"

#include <vector>

#include "absl/strings/str_join.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/graph/body.h"
#include "dovetail/core/ops/op_table.h"
#include "dovetail/core/plugin/query.h"
#include "dovetail/core/reference/kernel_table.h"

namespace dovetail {

std::string ReferenceOperations(
    absl::FunctionRef<bool(const OpInfo& op)> is_native) {
  std::vector<std::string> names;
  for (const OpInfo* op : AllOps()) {
    if (FindKernel(*op) == nullptr || is_native(*op)) continue;
    names.push_back(op->ToString());
  }
  return absl::StrJoin(names, " ");
}

absl::Status SupportsByReference(const Plugin& plugin, const Node& node,
                                 const PluginCall& call) {
  if (node.op().infer == nullptr) {
    return Unimplemented(node.Describe(), ": the shapes that ",
                         node.op().ToString(), " gives are not known");
  }
  if (FindKernel(node.op()) == nullptr) {
    return Unimplemented(node.Describe(), ": there is no reference kernel of ",
                         node.op().ToString());
  }
  for (const auto& body : node.bodies()) {
    const absl::Status inside = CheckSupported(plugin, *body->model, call);
    if (!inside.ok()) return Annotate(inside, node.Describe());
  }
  return absl::OkStatus();
}

}  // namespace dovetail
