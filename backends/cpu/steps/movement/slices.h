// Slice, StridedSlice, Split, VariadicSplit, and Gather of one index: parts of
// a tensor along axes.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_MOVEMENT_SLICES_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_MOVEMENT_SLICES_H_

#include "dovetail/backends/cpu/compiler/emitter.h"

namespace dovetail::cpu {

// Slice, StridedSlice, and Gather of a single constant index.
absl::StatusOr<bool> EmitSlice(const Node& node, PlanBuilder& builder);
absl::StatusOr<bool> EmitSplit(const Node& node, PlanBuilder& builder);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_MOVEMENT_SLICES_H_
