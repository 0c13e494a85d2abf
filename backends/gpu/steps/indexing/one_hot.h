// OneHot: for each index a vector with one element set.
#ifndef DOVETAIL_BACKENDS_GPU_STEPS_INDEXING_ONE_HOT_H_
#define DOVETAIL_BACKENDS_GPU_STEPS_INDEXING_ONE_HOT_H_

#include "dovetail/backends/gpu/compiler/emitter.h"

namespace dovetail::gpu {

absl::StatusOr<bool> EmitOneHot(const Node& node, PlanBuilder& builder);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_STEPS_INDEXING_ONE_HOT_H_
