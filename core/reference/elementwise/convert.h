// Kernels that change the element type.
#ifndef DOVETAIL_CORE_REFERENCE_ELEMENTWISE_CONVERT_H_
#define DOVETAIL_CORE_REFERENCE_ELEMENTWISE_CONVERT_H_

#include "absl/status/status.h"
#include "dovetail/core/reference/kernel.h"

namespace dovetail {

// As ConvertTensor. A tensor that has the type already is passed on, not
// copied.
absl::Status ConvertKernel(KernelContext& context);
// Input 1 gives nothing but its type.
absl::Status ConvertLikeKernel(KernelContext& context);
absl::Status ConvertPromoteTypesKernel(KernelContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_ELEMENTWISE_CONVERT_H_
