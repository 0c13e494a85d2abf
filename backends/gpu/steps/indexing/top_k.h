// TopK: the K greatest or least elements along an axis.
#ifndef DOVETAIL_BACKENDS_GPU_STEPS_INDEXING_TOP_K_H_
#define DOVETAIL_BACKENDS_GPU_STEPS_INDEXING_TOP_K_H_

#include "dovetail/backends/gpu/compiler/emitter.h"

namespace dovetail::gpu {

// f32 and integers. A work item has a line, and a heap of its K best elements.
absl::StatusOr<bool> EmitTopK(const Node& node, PlanBuilder& builder);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_STEPS_INDEXING_TOP_K_H_
