// GatherTree: the sequences of a beam search, from their last steps back.
#ifndef DOVETAIL_BACKENDS_GPU_STEPS_INDEXING_GATHER_GATHER_TREE_H_
#define DOVETAIL_BACKENDS_GPU_STEPS_INDEXING_GATHER_GATHER_TREE_H_

#include "dovetail/backends/gpu/compiler/emitter.h"

namespace dovetail::gpu {

// f32 and integers. Before a step whose parent is no beam, which is an error
// that a kernel cannot tell, a sequence has end tokens.
absl::StatusOr<bool> EmitGatherTree(const Node& node, PlanBuilder& builder);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_STEPS_INDEXING_GATHER_GATHER_TREE_H_
