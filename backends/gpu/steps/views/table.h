// Emitters of operations whose output is their input in another shape.
#ifndef DOVETAIL_BACKENDS_GPU_STEPS_VIEWS_TABLE_H_
#define DOVETAIL_BACKENDS_GPU_STEPS_VIEWS_TABLE_H_

#include "absl/types/span.h"
#include "dovetail/backends/gpu/compiler/emitter.h"

namespace dovetail::gpu {

absl::Span<const EmitterRow> ViewEmitters();

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_STEPS_VIEWS_TABLE_H_
