// Rows of the table of kernels: Parameter, Constant, Result, Identity.
#ifndef DOVETAIL_CORE_REFERENCE_STRUCTURAL_TABLE_H_
#define DOVETAIL_CORE_REFERENCE_STRUCTURAL_TABLE_H_

#include "absl/types/span.h"
#include "dovetail/core/reference/kernel.h"

namespace dovetail {

absl::Span<const KernelRow> StructuralKernels();

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_STRUCTURAL_TABLE_H_
