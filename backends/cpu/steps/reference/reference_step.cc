#include "dovetail/backends/cpu/steps/reference/reference_step.h"

#include "dovetail/backends/common/kernels/host_kernels.h"
#include "dovetail/backends/common/plan/step_label.h"
#include "dovetail/backends/common/steps/host_node_step.h"

namespace dovetail::cpu {

absl::Status EmitReference(const Node& node, PlanBuilder& builder) {
  return AddHostNodeStep(node, HostKernelName(node, &FindHostKernel),
                         builder.settings().compile_body, builder);
}

}  // namespace dovetail::cpu
