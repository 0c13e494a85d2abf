// Rows of the table of reference kernels: connectionist temporal
// classification.
#ifndef DOVETAIL_CORE_REFERENCE_CTC_TABLE_H_
#define DOVETAIL_CORE_REFERENCE_CTC_TABLE_H_

#include "absl/types/span.h"
#include "dovetail/core/reference/kernel.h"

namespace dovetail {

absl::Span<const KernelRow> CtcKernels();

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_CTC_TABLE_H_
