// Split and VariadicSplit.
#ifndef DOVETAIL_CORE_REFERENCE_MOVEMENT_JOINING_SPLIT_H_
#define DOVETAIL_CORE_REFERENCE_MOVEMENT_JOINING_SPLIT_H_

#include "absl/status/status.h"
#include "dovetail/core/reference/kernel.h"

namespace dovetail {

absl::Status SplitKernel(KernelContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_MOVEMENT_JOINING_SPLIT_H_
