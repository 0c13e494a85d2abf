// Normalization by sums of squares of f32: NormalizeL2 and LRN.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_NORMALIZATION_L2_LRN_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_NORMALIZATION_L2_LRN_H_

#include "dovetail/backends/cpu/compiler/emitter.h"

namespace dovetail::cpu {

// Over one axis, or neighbouring ones.
absl::StatusOr<bool> EmitNormalizeL2(const Node& node, PlanBuilder& builder);
// Across channels.
absl::StatusOr<bool> EmitLrn(const Node& node, PlanBuilder& builder);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_NORMALIZATION_L2_LRN_H_
