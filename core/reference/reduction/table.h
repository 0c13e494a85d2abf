// The kernels of the reductions.
#ifndef DOVETAIL_CORE_REFERENCE_REDUCTION_TABLE_H_
#define DOVETAIL_CORE_REFERENCE_REDUCTION_TABLE_H_

#include "absl/types/span.h"
#include "dovetail/core/reference/kernel.h"

namespace dovetail {

absl::Span<const KernelRow> ReductionKernels();

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_REDUCTION_TABLE_H_
