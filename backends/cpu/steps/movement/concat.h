// Concat: in place where the parts' memory can be laid out side by side.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_MOVEMENT_CONCAT_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_MOVEMENT_CONCAT_H_

#include "dovetail/backends/cpu/compiler/emitter.h"

namespace dovetail::cpu {

absl::StatusOr<bool> EmitConcat(const Node& node, PlanBuilder& builder);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_MOVEMENT_CONCAT_H_
