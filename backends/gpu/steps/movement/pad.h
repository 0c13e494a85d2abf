// Pad and Roll: each axis of the output goes along an axis of the input, which
// it may leave.
#ifndef DOVETAIL_BACKENDS_GPU_STEPS_MOVEMENT_PAD_H_
#define DOVETAIL_BACKENDS_GPU_STEPS_MOVEMENT_PAD_H_

#include "dovetail/backends/gpu/compiler/emitter.h"

namespace dovetail::gpu {

// All modes, and pads below 0, if they are constant.
absl::StatusOr<bool> EmitPad(const Node& node, PlanBuilder& builder);
absl::StatusOr<bool> EmitRoll(const Node& node, PlanBuilder& builder);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_STEPS_MOVEMENT_PAD_H_
