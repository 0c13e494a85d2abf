// NonMaxSuppression, in all versions.
#ifndef DOVETAIL_BACKENDS_GPU_STEPS_DETECTION_NON_MAX_SUPPRESSION_H_
#define DOVETAIL_BACKENDS_GPU_STEPS_DETECTION_NON_MAX_SUPPRESSION_H_

#include "dovetail/backends/gpu/compiler/emitter.h"

namespace dovetail::gpu {

// Only bounded ones (compiler/bounded_suppression.h). A work item selects the
// boxes of one class of one image, then each selected box finds its row.
absl::StatusOr<bool> EmitNonMaxSuppression(const Node& node,
                                           PlanBuilder& builder);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_STEPS_DETECTION_NON_MAX_SUPPRESSION_H_
