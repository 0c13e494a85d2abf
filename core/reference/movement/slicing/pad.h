// Pad.
#ifndef DOVETAIL_CORE_REFERENCE_MOVEMENT_SLICING_PAD_H_
#define DOVETAIL_CORE_REFERENCE_MOVEMENT_SLICING_PAD_H_

#include "absl/status/status.h"
#include "dovetail/core/reference/kernel.h"

namespace dovetail {

absl::Status PadKernel(KernelContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_MOVEMENT_SLICING_PAD_H_
