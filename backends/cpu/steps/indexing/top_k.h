// TopK of f32.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_INDEXING_TOP_K_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_INDEXING_TOP_K_H_

#include "dovetail/backends/cpu/compiler/emitter.h"

namespace dovetail::cpu {

// Along the last axis as it is stored, or the best one along any axis.
absl::StatusOr<bool> EmitTopK(const Node& node, PlanBuilder& builder);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_INDEXING_TOP_K_H_
