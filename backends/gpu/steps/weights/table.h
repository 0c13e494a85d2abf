// Emitters of what weights are made of.
#ifndef DOVETAIL_BACKENDS_GPU_STEPS_WEIGHTS_TABLE_H_
#define DOVETAIL_BACKENDS_GPU_STEPS_WEIGHTS_TABLE_H_

#include "absl/types/span.h"
#include "dovetail/backends/gpu/compiler/emitter.h"

namespace dovetail::gpu {

// They take nodes of weight expressions (backends/common/linear) that only
// products and convolutions of f32 read: nothing runs for these.
absl::Span<const EmitterRow> WeightEmitters();

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_STEPS_WEIGHTS_TABLE_H_
