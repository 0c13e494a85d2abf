// Emitters of reductions.
#ifndef DOVETAIL_BACKENDS_GPU_STEPS_REDUCTION_TABLE_H_
#define DOVETAIL_BACKENDS_GPU_STEPS_REDUCTION_TABLE_H_

#include "absl/types/span.h"
#include "dovetail/backends/gpu/compiler/emitter.h"

namespace dovetail::gpu {

absl::Span<const EmitterRow> ReductionEmitters();

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_STEPS_REDUCTION_TABLE_H_
