// Rows of the table of reference kernels: state between inferences.
#ifndef DOVETAIL_CORE_REFERENCE_STATE_TABLE_H_
#define DOVETAIL_CORE_REFERENCE_STATE_TABLE_H_

#include "absl/types/span.h"
#include "dovetail/core/reference/kernel.h"

namespace dovetail {

absl::Span<const KernelRow> StateKernels();

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_STATE_TABLE_H_
