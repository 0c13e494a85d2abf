// Pad and Roll: outputs that are put together from boxes of the input.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_MOVEMENT_BOXES_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_MOVEMENT_BOXES_H_

#include "dovetail/backends/cpu/compiler/emitter.h"

namespace dovetail::cpu {

// Declines pads below 0 and those that mirror more than there is.
absl::StatusOr<bool> EmitPad(const Node& node, PlanBuilder& builder);
absl::StatusOr<bool> EmitRoll(const Node& node, PlanBuilder& builder);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_MOVEMENT_BOXES_H_
