// The label of a step in profiles.
#ifndef DOVETAIL_BACKENDS_COMMON_PLAN_STEP_LABEL_H_
#define DOVETAIL_BACKENDS_COMMON_PLAN_STEP_LABEL_H_

#include <string>

#include "dovetail/core/graph/node.h"
#include "dovetail/core/reference/kernel.h"

namespace dovetail {

// The layer that something stands for, and what runs it ("onednn_jit:avx2",
// "fused_elementwise", "host_f32", "reference_f32").
struct StepLabel {
  std::string name, type, kernel;
};

// The kernel of a node that EvaluateNode runs: "host_f32" where `find_kernel`,
// which may be null, has one for it, else "reference_f32".
std::string HostKernelName(const Node& node, FindKernelFn find_kernel);
// The label of such a step.
StepLabel HostLabel(const Node& node, FindKernelFn find_kernel);

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_COMMON_PLAN_STEP_LABEL_H_
