// ROIPooling and its position-sensitive kinds.
#ifndef DOVETAIL_BACKENDS_GPU_STEPS_ROI_POOLING_H_
#define DOVETAIL_BACKENDS_GPU_STEPS_ROI_POOLING_H_

#include "dovetail/backends/gpu/compiler/emitter.h"

namespace dovetail::gpu {

// f32. A region of an image that there is not, which is an error that a kernel
// cannot tell, is 0.
absl::StatusOr<bool> EmitRoiPooling(const Node& node, PlanBuilder& builder);
absl::StatusOr<bool> EmitPsRoiPooling(const Node& node, PlanBuilder& builder);
absl::StatusOr<bool> EmitDeformablePsRoiPooling(const Node& node,
                                                PlanBuilder& builder);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_STEPS_ROI_POOLING_H_
