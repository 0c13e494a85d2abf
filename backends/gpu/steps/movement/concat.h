// Concat: in place where the parts' memory can be laid out side by side.
#ifndef DOVETAIL_BACKENDS_GPU_STEPS_MOVEMENT_CONCAT_H_
#define DOVETAIL_BACKENDS_GPU_STEPS_MOVEMENT_CONCAT_H_

#include "dovetail/backends/gpu/compiler/emitter.h"

namespace dovetail::gpu {

absl::StatusOr<bool> EmitConcat(const Node& node, PlanBuilder& builder);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_STEPS_MOVEMENT_CONCAT_H_
