// The emitters of operations on boxes and their scores.
#ifndef DOVETAIL_BACKENDS_GPU_STEPS_DETECTION_TABLE_H_
#define DOVETAIL_BACKENDS_GPU_STEPS_DETECTION_TABLE_H_

#include "absl/types/span.h"
#include "dovetail/backends/gpu/compiler/emitter.h"

namespace dovetail::gpu {

absl::Span<const EmitterRow> DetectionEmitters();

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_STEPS_DETECTION_TABLE_H_
