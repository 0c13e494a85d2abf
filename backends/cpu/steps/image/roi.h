// ROIAlign and ROIPooling of f32.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_IMAGE_ROI_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_IMAGE_ROI_H_

#include "dovetail/backends/cpu/compiler/emitter.h"

namespace dovetail::cpu {

// Both read channels last. Decline where few regions of large features would
// not be worth moving all of these.
absl::StatusOr<bool> EmitRoiAlign(const Node& node, PlanBuilder& builder);
absl::StatusOr<bool> EmitRoiPooling(const Node& node, PlanBuilder& builder);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_IMAGE_ROI_H_
