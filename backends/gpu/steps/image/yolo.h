// ReorgYolo and RegionYolo.
#ifndef DOVETAIL_BACKENDS_GPU_STEPS_IMAGE_YOLO_H_
#define DOVETAIL_BACKENDS_GPU_STEPS_IMAGE_YOLO_H_

#include "dovetail/backends/gpu/compiler/emitter.h"

namespace dovetail::gpu {

// Types of whole bytes.
absl::StatusOr<bool> EmitReorgYolo(const Node& node, PlanBuilder& builder);
// f32.
absl::StatusOr<bool> EmitRegionYolo(const Node& node, PlanBuilder& builder);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_STEPS_IMAGE_YOLO_H_
