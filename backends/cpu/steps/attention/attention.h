// ScaledDotProductAttention.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_ATTENTION_ATTENTION_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_ATTENTION_ATTENTION_H_

#include "dovetail/backends/cpu/compiler/emitter.h"

namespace dovetail::cpu {

// Of f32, by an own kernel, which reads operands through views before it and
// writes through a transposition behind it.
absl::StatusOr<bool> EmitAttention(const Node& node, PlanBuilder& builder);

// Takes Transpose, Reshape, Gather and Split nodes whose only readers, in the
// end, are attentions and rotary embeddings that read through them: nothing has
// to run for those.
absl::StatusOr<bool> EmitViewForAttention(const Node& node,
                                          PlanBuilder& builder);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_ATTENTION_ATTENTION_H_
