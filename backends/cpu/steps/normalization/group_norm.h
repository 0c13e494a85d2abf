// GroupNormalization of f32.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_NORMALIZATION_GROUP_NORM_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_NORMALIZATION_GROUP_NORM_H_

#include "dovetail/backends/cpu/compiler/emitter.h"

namespace dovetail::cpu {

absl::StatusOr<bool> EmitGroupNormalization(const Node& node,
                                            PlanBuilder& builder);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_NORMALIZATION_GROUP_NORM_H_
