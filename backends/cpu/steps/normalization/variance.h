// Normalization by mean and variance of f32: MVN, also with the scale and shift
// that make it layer or instance normalization.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_NORMALIZATION_VARIANCE_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_NORMALIZATION_VARIANCE_H_

#include "dovetail/backends/cpu/compiler/emitter.h"

namespace dovetail::cpu {

// Takes in a Multiply and an Add by constants behind it.
absl::StatusOr<bool> EmitMvn(const Node& node, PlanBuilder& builder);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_NORMALIZATION_VARIANCE_H_
