// GridSample of f32.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_IMAGE_GRID_SAMPLE_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_IMAGE_GRID_SAMPLE_H_

#include "dovetail/backends/cpu/compiler/emitter.h"

namespace dovetail::cpu {

// In any mode. Many channels are read and written channels last, where that is
// worth moving them.
absl::StatusOr<bool> EmitGridSample(const Node& node, PlanBuilder& builder);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_IMAGE_GRID_SAMPLE_H_
