// Reshape, Squeeze and Unsqueeze.
#ifndef DOVETAIL_CORE_REFERENCE_MOVEMENT_RESHAPING_RESHAPE_H_
#define DOVETAIL_CORE_REFERENCE_MOVEMENT_RESHAPING_RESHAPE_H_

#include "absl/status/status.h"
#include "dovetail/core/reference/kernel.h"

namespace dovetail {

// The input's memory in the shape that inference has found.
absl::Status ReshapeKernel(KernelContext& context);
// Refuses a shape of which inference, not knowing the extents, has assumed that
// others are 1.
absl::Status SqueezeKernel(KernelContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_MOVEMENT_RESHAPING_RESHAPE_H_
