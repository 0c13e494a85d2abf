// Reshape, Squeeze and Unsqueeze: the same elements in the same order.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_VIEWS_RESHAPE_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_VIEWS_RESHAPE_H_

#include "dovetail/backends/cpu/compiler/emitter.h"

namespace dovetail::cpu {

absl::StatusOr<bool> EmitReshape(const Node& node, PlanBuilder& builder);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_VIEWS_RESHAPE_H_
