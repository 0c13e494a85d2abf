// Conversions between RGB or BGR and the formats of videos.
#ifndef DOVETAIL_BACKENDS_GPU_STEPS_IMAGE_COLOR_H_
#define DOVETAIL_BACKENDS_GPU_STEPS_IMAGE_COLOR_H_

#include "dovetail/backends/gpu/compiler/emitter.h"

namespace dovetail::gpu {

// f32 and u8: NV12toRGB, NV12toBGR, I420toRGB and I420toBGR.
absl::StatusOr<bool> EmitYuvToRgb(const Node& node, PlanBuilder& builder);
// The same for RGBtoNV12 and BGRtoNV12.
absl::StatusOr<bool> EmitRgbToNv12(const Node& node, PlanBuilder& builder);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_STEPS_IMAGE_COLOR_H_
