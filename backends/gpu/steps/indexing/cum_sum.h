// CumSum: sums of all elements so far along an axis.
#ifndef DOVETAIL_BACKENDS_GPU_STEPS_INDEXING_CUM_SUM_H_
#define DOVETAIL_BACKENDS_GPU_STEPS_INDEXING_CUM_SUM_H_

#include "dovetail/backends/gpu/compiler/emitter.h"

namespace dovetail::gpu {

// f32, with what rounding loses kept beside the sum, and integers.
absl::StatusOr<bool> EmitCumSum(const Node& node, PlanBuilder& builder);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_STEPS_INDEXING_CUM_SUM_H_
