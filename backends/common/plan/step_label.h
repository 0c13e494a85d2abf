// The label of a step in profiles.
#ifndef DOVETAIL_BACKENDS_COMMON_PLAN_STEP_LABEL_H_
#define DOVETAIL_BACKENDS_COMMON_PLAN_STEP_LABEL_H_

#include <string>

#include "dovetail/core/graph/node.h"

namespace dovetail {

// The layer that something stands for, and what runs it ("onednn_jit:avx2",
// "fused_elementwise", "reference_f32").
struct StepLabel {
  std::string name, type, kernel;
};

// The kernel of a node that runs by its reference kernel: "reference_f32".
std::string ReferenceKernelName(const Node& node);
// The label of such a step.
StepLabel ReferenceLabel(const Node& node);

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_COMMON_PLAN_STEP_LABEL_H_
