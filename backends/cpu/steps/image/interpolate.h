// Interpolate of f32 and u8 along two neighbouring axes.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_IMAGE_INTERPOLATE_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_IMAGE_INTERPOLATE_H_

#include "dovetail/backends/cpu/compiler/emitter.h"

namespace dovetail::cpu {

// Any mode; in the layout of the data.
absl::StatusOr<bool> EmitInterpolate(const Node& node, PlanBuilder& builder);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_IMAGE_INTERPOLATE_H_
