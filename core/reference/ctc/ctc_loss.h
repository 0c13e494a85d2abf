// Kernel of CTCLoss.
#ifndef DOVETAIL_CORE_REFERENCE_CTC_CTC_LOSS_H_
#define DOVETAIL_CORE_REFERENCE_CTC_CTC_LOSS_H_

#include "absl/status/status.h"
#include "dovetail/core/reference/kernel.h"

namespace dovetail {

// Labels that do not fit into the time there is have an infinite loss.
absl::Status CtcLossKernel(KernelContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_CTC_CTC_LOSS_H_
