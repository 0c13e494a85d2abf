// The kernels of the operations that move elements.
#ifndef DOVETAIL_CORE_REFERENCE_MOVEMENT_TABLE_H_
#define DOVETAIL_CORE_REFERENCE_MOVEMENT_TABLE_H_

#include "absl/types/span.h"
#include "dovetail/core/reference/kernel.h"

namespace dovetail {

absl::Span<const KernelRow> MovementKernels();

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_MOVEMENT_TABLE_H_
