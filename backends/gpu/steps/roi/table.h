// The emitters of operations on regions of feature maps.
#ifndef DOVETAIL_BACKENDS_GPU_STEPS_ROI_TABLE_H_
#define DOVETAIL_BACKENDS_GPU_STEPS_ROI_TABLE_H_

#include "absl/types/span.h"
#include "dovetail/backends/gpu/compiler/emitter.h"

namespace dovetail::gpu {

absl::Span<const EmitterRow> RoiEmitters();

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_STEPS_ROI_TABLE_H_
