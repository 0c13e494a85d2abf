// Rows of the table of kernels: poolings.
#ifndef DOVETAIL_CORE_REFERENCE_POOLING_TABLE_H_
#define DOVETAIL_CORE_REFERENCE_POOLING_TABLE_H_

#include "absl/types/span.h"
#include "dovetail/core/reference/kernel.h"

namespace dovetail {

absl::Span<const KernelRow> PoolingKernels();

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_POOLING_TABLE_H_
