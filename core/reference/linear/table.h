// Rows of the table of kernels: matrix multiplications and tensors.
#ifndef DOVETAIL_CORE_REFERENCE_LINEAR_TABLE_H_
#define DOVETAIL_CORE_REFERENCE_LINEAR_TABLE_H_

#include "absl/types/span.h"
#include "dovetail/core/reference/kernel.h"

namespace dovetail {

absl::Span<const KernelRow> LinearKernels();

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_LINEAR_TABLE_H_
