// Rows of the table of reference kernels: recurrent cells and sequences.
#ifndef DOVETAIL_CORE_REFERENCE_RECURRENT_TABLE_H_
#define DOVETAIL_CORE_REFERENCE_RECURRENT_TABLE_H_

#include "absl/types/span.h"
#include "dovetail/core/reference/kernel.h"

namespace dovetail {

absl::Span<const KernelRow> RecurrentKernels();

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_RECURRENT_TABLE_H_
