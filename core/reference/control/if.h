// Kernel of If.
#ifndef DOVETAIL_CORE_REFERENCE_CONTROL_IF_H_
#define DOVETAIL_CORE_REFERENCE_CONTROL_IF_H_

#include "absl/status/status.h"
#include "dovetail/core/reference/kernel.h"

namespace dovetail {

// Runs the body that the condition chooses, and no part of the other.
absl::Status IfKernel(KernelContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_CONTROL_IF_H_
