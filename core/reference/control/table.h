// Rows of the table of reference kernels: branches and loops.
#ifndef DOVETAIL_CORE_REFERENCE_CONTROL_TABLE_H_
#define DOVETAIL_CORE_REFERENCE_CONTROL_TABLE_H_

#include "absl/types/span.h"
#include "dovetail/core/reference/kernel.h"

namespace dovetail {

absl::Span<const KernelRow> ControlKernels();

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_CONTROL_TABLE_H_
