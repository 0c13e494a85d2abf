// Col2Im of f32.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_IMAGE_COL2IM_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_IMAGE_COL2IM_H_

#include "dovetail/backends/cpu/compiler/emitter.h"

namespace dovetail::cpu {

// With a constant extent of the patches.
absl::StatusOr<bool> EmitCol2Im(const Node& node, PlanBuilder& builder);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_IMAGE_COL2IM_H_
