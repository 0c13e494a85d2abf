// Kernels of PriorBox and PriorBoxClustered.
#ifndef DOVETAIL_CORE_REFERENCE_DETECTION_PRIOR_BOX_H_
#define DOVETAIL_CORE_REFERENCE_DETECTION_PRIOR_BOX_H_

#include "absl/status/status.h"
#include "dovetail/core/reference/kernel.h"

namespace dovetail {

absl::Status PriorBoxKernel(KernelContext& context);
absl::Status PriorBoxClusteredKernel(KernelContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_DETECTION_PRIOR_BOX_H_
