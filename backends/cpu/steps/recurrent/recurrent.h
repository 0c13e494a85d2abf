// Recurrent cells and sequences.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_RECURRENT_RECURRENT_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_RECURRENT_RECURRENT_H_

#include "dovetail/backends/cpu/compiler/emitter.h"

namespace dovetail::cpu {

// LSTM, GRU and RNN of f32 with constant weights, the usual functions, and
// neither clipping nor peepholes.
absl::StatusOr<bool> EmitRecurrent(const Node& node, PlanBuilder& builder);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_RECURRENT_RECURRENT_H_
