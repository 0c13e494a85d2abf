// Kernels of ReadValue and Assign.
#ifndef DOVETAIL_CORE_REFERENCE_STATE_VARIABLE_H_
#define DOVETAIL_CORE_REFERENCE_STATE_VARIABLE_H_

#include "absl/status/status.h"
#include "dovetail/core/reference/kernel.h"

namespace dovetail {

// The variable's value; before anything was assigned, the initial value, or
// zeros (extents that are not known: their least) where there is none.
absl::Status ReadValueKernel(KernelContext& context);
// Keeps a copy of the input, and gives it on.
absl::Status AssignKernel(KernelContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_STATE_VARIABLE_H_
