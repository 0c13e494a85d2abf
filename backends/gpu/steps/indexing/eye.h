// Eye: matrices with ones on a diagonal.
#ifndef DOVETAIL_BACKENDS_GPU_STEPS_INDEXING_EYE_H_
#define DOVETAIL_BACKENDS_GPU_STEPS_INDEXING_EYE_H_

#include "dovetail/backends/gpu/compiler/emitter.h"

namespace dovetail::gpu {

// f32, boolean and integers of whole bytes.
absl::StatusOr<bool> EmitEye(const Node& node, PlanBuilder& builder);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_STEPS_INDEXING_EYE_H_
