// A step that computes one node by a kernel of the host.
#ifndef DOVETAIL_BACKENDS_COMMON_STEPS_HOST_NODE_STEP_H_
#define DOVETAIL_BACKENDS_COMMON_STEPS_HOST_NODE_STEP_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "dovetail/backends/common/compiler/plan_builder_base.h"
#include "dovetail/backends/common/program/host_node.h"
#include "dovetail/core/graph/node.h"

namespace dovetail {

// Adds it for any node that has a reference kernel; all tensors are planar and
// of the model's types. Profiles show `kernel`; which one runs is up to
// KernelEnvironment::find_kernel. `node` outlives the plan.
absl::Status AddHostNodeStep(const Node& node, absl::string_view kernel,
                             const CompileBodyFn& compile_body,
                             PlanBuilderBase& builder);

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_COMMON_STEPS_HOST_NODE_STEP_H_
