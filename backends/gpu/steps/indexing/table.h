// Emitters of operations that find elements by index, and order them.
#ifndef DOVETAIL_BACKENDS_GPU_STEPS_INDEXING_TABLE_H_
#define DOVETAIL_BACKENDS_GPU_STEPS_INDEXING_TABLE_H_

#include "absl/types/span.h"
#include "dovetail/backends/gpu/compiler/emitter.h"

namespace dovetail::gpu {

absl::Span<const EmitterRow> IndexingEmitters();

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_STEPS_INDEXING_TABLE_H_
