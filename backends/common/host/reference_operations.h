// The operations of a device that falls back on the reference kernels.
#ifndef DOVETAIL_BACKENDS_COMMON_HOST_REFERENCE_OPERATIONS_H_
#define DOVETAIL_BACKENDS_COMMON_HOST_REFERENCE_OPERATIONS_H_

#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "dovetail/core/graph/node.h"
#include "dovetail/core/graph/op_info.h"
#include "dovetail/core/plugin/plugin.h"

namespace dovetail {

// The value of REFERENCE_OPERATIONS: every operation that has a reference
// kernel and that `is_native` does not say yes to.
std::string ReferenceOperations(
    absl::FunctionRef<bool(const OpInfo& op)> is_native);

// Plugin::Supports of such a device: whether shapes and a kernel of the
// operation are there, and `plugin` supports all that is in its bodies.
absl::Status SupportsByReference(const Plugin& plugin, const Node& node,
                                 const PluginCall& call);

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_COMMON_HOST_REFERENCE_OPERATIONS_H_
