// Reductions of f32 along any axes, in the layout of the data where the axes
// are spatial ones.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_REDUCTION_REDUCTION_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_REDUCTION_REDUCTION_H_

#include "dovetail/backends/cpu/compiler/emitter.h"

namespace dovetail::cpu {

absl::StatusOr<bool> EmitReduction(const Node& node, PlanBuilder& builder);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_REDUCTION_REDUCTION_H_
