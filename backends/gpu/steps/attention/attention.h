// ScaledDotProductAttention.
#ifndef DOVETAIL_BACKENDS_GPU_STEPS_ATTENTION_ATTENTION_H_
#define DOVETAIL_BACKENDS_GPU_STEPS_ATTENTION_ATTENTION_H_

#include "dovetail/backends/gpu/compiler/emitter.h"

namespace dovetail::gpu {

// Of f32, by a kernel that keeps scores to itself. It reads operands through
// views before it and writes through a transposition behind it.
absl::StatusOr<bool> EmitAttention(const Node& node, PlanBuilder& builder);

// Takes Transpose, Reshape, Gather and Split nodes whose only readers, in the
// end, are attentions that read through them: nothing has to run for those.
absl::StatusOr<bool> EmitViewForAttention(const Node& node,
                                          PlanBuilder& builder);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_STEPS_ATTENTION_ATTENTION_H_
