// Transpose, Slice, Broadcast and other operations whose output is a regular
// selection of their input's elements, and the parts of Split.
#ifndef DOVETAIL_BACKENDS_GPU_STEPS_MOVEMENT_VIEWS_H_
#define DOVETAIL_BACKENDS_GPU_STEPS_MOVEMENT_VIEWS_H_

#include "dovetail/backends/gpu/compiler/emitter.h"

namespace dovetail::gpu {

// All that MovedViewOf knows. Where the elements already lie side by side
// nothing has to run.
absl::StatusOr<bool> EmitMovedView(const Node& node, PlanBuilder& builder);
// Split and VariadicSplit.
absl::StatusOr<bool> EmitSplit(const Node& node, PlanBuilder& builder);
// Data, and over it the updates of a slice.
absl::StatusOr<bool> EmitSliceScatter(const Node& node, PlanBuilder& builder);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_STEPS_MOVEMENT_VIEWS_H_
