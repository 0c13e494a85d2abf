// Roll.
#ifndef DOVETAIL_CORE_REFERENCE_MOVEMENT_LAYOUT_ROLL_H_
#define DOVETAIL_CORE_REFERENCE_MOVEMENT_LAYOUT_ROLL_H_

#include "absl/status/status.h"
#include "dovetail/core/reference/kernel.h"

namespace dovetail {

absl::Status RollKernel(KernelContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_MOVEMENT_LAYOUT_ROLL_H_
