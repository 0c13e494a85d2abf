// ROIAlign and its like.
#ifndef DOVETAIL_BACKENDS_GPU_STEPS_ROI_ALIGN_H_
#define DOVETAIL_BACKENDS_GPU_STEPS_ROI_ALIGN_H_

#include "dovetail/backends/gpu/compiler/emitter.h"

namespace dovetail::gpu {

// f32. A region of an image that there is not, which is an error that a kernel
// cannot tell, is 0.
absl::StatusOr<bool> EmitRoiAlign(const Node& node, PlanBuilder& builder);
absl::StatusOr<bool> EmitRoiAlignRotated(const Node& node,
                                         PlanBuilder& builder);
// f32.
absl::StatusOr<bool> EmitRoiFeatureExtractor(const Node& node,
                                             PlanBuilder& builder);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_STEPS_ROI_ALIGN_H_
