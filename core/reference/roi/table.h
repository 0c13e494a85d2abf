// Rows of the table of kernels: features of regions of interest.
#ifndef DOVETAIL_CORE_REFERENCE_ROI_TABLE_H_
#define DOVETAIL_CORE_REFERENCE_ROI_TABLE_H_

#include "absl/types/span.h"
#include "dovetail/core/reference/kernel.h"

namespace dovetail {

absl::Span<const KernelRow> RoiKernels();

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_ROI_TABLE_H_
