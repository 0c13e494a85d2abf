// Recurrent cells and sequences: two launches, of the products of the data and
// of all steps.
#ifndef DOVETAIL_BACKENDS_GPU_STEPS_RECURRENT_RECURRENT_H_
#define DOVETAIL_BACKENDS_GPU_STEPS_RECURRENT_RECURRENT_H_

#include "dovetail/backends/gpu/compiler/emitter.h"

namespace dovetail::gpu {

// f32 by constant weights, with all functions and clips; without peepholes and
// the other forms of LSTMCell-0. Lengths below 0 count as 0, those above the
// number of steps as that number.
absl::StatusOr<bool> EmitRecurrent(const Node& node, PlanBuilder& builder);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_STEPS_RECURRENT_RECURRENT_H_
