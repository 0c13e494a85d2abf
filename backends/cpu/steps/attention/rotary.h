// Rotary embedding of positions, for which there is no operation.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_ATTENTION_ROTARY_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_ATTENTION_ROTARY_H_

#include "dovetail/backends/cpu/compiler/emitter.h"
#include "dovetail/core/graph/node.h"

namespace dovetail::cpu {

// Of f32, by an own kernel. Takes the sum at its end, and reads what it rotates
// through views before it.
absl::StatusOr<bool> EmitRotary(const Node& node, PlanBuilder& builder);

// Takes the nodes before that sum: nothing has to run for those.
absl::StatusOr<bool> EmitPartOfRotary(const Node& node, PlanBuilder& builder);

// Whether the use is by a rotary embedding of what it rotates.
bool IsReadByRotary(const Use& use);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_ATTENTION_ROTARY_H_
