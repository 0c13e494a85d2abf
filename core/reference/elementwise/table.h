// Rows of the table of kernels: arithmetic, comparisons, logic, bits,
// roundings, functions of one variable, Select, Clamp and conversions.
#ifndef DOVETAIL_CORE_REFERENCE_ELEMENTWISE_TABLE_H_
#define DOVETAIL_CORE_REFERENCE_ELEMENTWISE_TABLE_H_

#include "absl/types/span.h"
#include "dovetail/core/reference/kernel.h"

namespace dovetail {

absl::Span<const KernelRow> ElementwiseKernels();

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_ELEMENTWISE_TABLE_H_
