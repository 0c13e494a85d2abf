// ReverseSequence: the first elements of each batch's sequence back to front.
#ifndef DOVETAIL_BACKENDS_GPU_STEPS_MOVEMENT_REVERSE_SEQUENCE_H_
#define DOVETAIL_BACKENDS_GPU_STEPS_MOVEMENT_REVERSE_SEQUENCE_H_

#include "dovetail/backends/gpu/compiler/emitter.h"

namespace dovetail::gpu {

// A sequence whose length, computed on the way, is longer than its axis stays
// as it is.
absl::StatusOr<bool> EmitReverseSequence(const Node& node,
                                         PlanBuilder& builder);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_STEPS_MOVEMENT_REVERSE_SEQUENCE_H_
