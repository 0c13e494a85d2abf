// Rows of the table of kernels: packing and unpacking of strings.
#ifndef DOVETAIL_CORE_REFERENCE_STRING_TABLE_H_
#define DOVETAIL_CORE_REFERENCE_STRING_TABLE_H_

#include "absl/types/span.h"
#include "dovetail/core/reference/kernel.h"

namespace dovetail {

absl::Span<const KernelRow> StringKernels();

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_STRING_TABLE_H_
