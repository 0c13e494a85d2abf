// Reverse and ReverseSequence.
#ifndef DOVETAIL_CORE_REFERENCE_MOVEMENT_LAYOUT_REVERSE_H_
#define DOVETAIL_CORE_REFERENCE_MOVEMENT_LAYOUT_REVERSE_H_

#include "absl/status/status.h"
#include "dovetail/core/reference/kernel.h"

namespace dovetail {

absl::Status ReverseKernel(KernelContext& context);
absl::Status ReverseSequenceKernel(KernelContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_MOVEMENT_LAYOUT_REVERSE_H_
