// ExtractImagePatches and Col2Im.
#ifndef DOVETAIL_BACKENDS_GPU_STEPS_IMAGE_PATCHES_H_
#define DOVETAIL_BACKENDS_GPU_STEPS_IMAGE_PATCHES_H_

#include "dovetail/backends/gpu/compiler/emitter.h"

namespace dovetail::gpu {

// Types of whole bytes.
absl::StatusOr<bool> EmitExtractImagePatches(const Node& node,
                                             PlanBuilder& builder);
// f32, i32 and i64; the patch's extents are constant.
absl::StatusOr<bool> EmitCol2Im(const Node& node, PlanBuilder& builder);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_STEPS_IMAGE_PATCHES_H_
