// x / sqrt(mean(x^2) + epsilon) * gamma of f32, for which there is no operation.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_NORMALIZATION_RMS_NORM_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_NORMALIZATION_RMS_NORM_H_

#include "dovetail/backends/cpu/compiler/emitter.h"

namespace dovetail::cpu {

// Of the square with which it begins; declines any other.
absl::StatusOr<bool> EmitRmsNorm(const Node& node, PlanBuilder& builder);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_NORMALIZATION_RMS_NORM_H_
