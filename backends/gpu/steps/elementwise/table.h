// Emitters of elementwise operations.
#ifndef DOVETAIL_BACKENDS_GPU_STEPS_ELEMENTWISE_TABLE_H_
#define DOVETAIL_BACKENDS_GPU_STEPS_ELEMENTWISE_TABLE_H_

#include "absl/types/span.h"
#include "dovetail/backends/gpu/compiler/emitter.h"

namespace dovetail::gpu {

absl::Span<const EmitterRow> ElementwiseEmitters();

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_STEPS_ELEMENTWISE_TABLE_H_
