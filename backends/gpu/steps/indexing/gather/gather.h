// Gather, GatherElements and GatherND.
#ifndef DOVETAIL_BACKENDS_GPU_STEPS_INDEXING_GATHER_GATHER_H_
#define DOVETAIL_BACKENDS_GPU_STEPS_INDEXING_GATHER_GATHER_H_

#include "dovetail/backends/gpu/compiler/emitter.h"

namespace dovetail::gpu {

// Indices outside of the data give 0: for Gather that is what it is to do, for
// the others an error that a kernel cannot tell. Known ones of these are left
// to the host, which can.
absl::StatusOr<bool> EmitGather(const Node& node, PlanBuilder& builder);
absl::StatusOr<bool> EmitGatherElements(const Node& node, PlanBuilder& builder);
absl::StatusOr<bool> EmitGatherNd(const Node& node, PlanBuilder& builder);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_STEPS_INDEXING_GATHER_GATHER_H_
