// The emitters of attention.
#ifndef DOVETAIL_BACKENDS_GPU_STEPS_ATTENTION_TABLE_H_
#define DOVETAIL_BACKENDS_GPU_STEPS_ATTENTION_TABLE_H_

#include "absl/types/span.h"
#include "dovetail/backends/gpu/compiler/emitter.h"

namespace dovetail::gpu {

// They come before those of other families for the same operations.
absl::Span<const EmitterRow> AttentionEmitters();

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_STEPS_ATTENTION_TABLE_H_
