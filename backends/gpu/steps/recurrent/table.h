// Emitters of recurrent cells and sequences.
#ifndef DOVETAIL_BACKENDS_GPU_STEPS_RECURRENT_TABLE_H_
#define DOVETAIL_BACKENDS_GPU_STEPS_RECURRENT_TABLE_H_

#include "absl/types/span.h"
#include "dovetail/backends/gpu/compiler/emitter.h"

namespace dovetail::gpu {

absl::Span<const EmitterRow> RecurrentEmitters();

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_STEPS_RECURRENT_TABLE_H_
