// ScatterUpdate, ScatterElementsUpdate and ScatterNDUpdate.
//
// Each work item looks for all updates of its places, in order, so that what
// comes of several updates of one place is as if they were done one after the
// other. Where that means too many comparisons the host does it.
#ifndef DOVETAIL_BACKENDS_GPU_STEPS_INDEXING_SCATTER_SCATTER_H_
#define DOVETAIL_BACKENDS_GPU_STEPS_INDEXING_SCATTER_SCATTER_H_

#include "dovetail/backends/gpu/compiler/emitter.h"

namespace dovetail::gpu {

// Indices outside of the data, which are an error that a kernel cannot tell,
// update nothing. Known ones are left to the host, which can.
absl::StatusOr<bool> EmitScatterUpdate(const Node& node, PlanBuilder& builder);
absl::StatusOr<bool> EmitScatterElementsUpdate(const Node& node,
                                               PlanBuilder& builder);
absl::StatusOr<bool> EmitScatterNdUpdate(const Node& node,
                                         PlanBuilder& builder);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_STEPS_INDEXING_SCATTER_SCATTER_H_
