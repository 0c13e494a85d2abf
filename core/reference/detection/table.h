// Rows of the table of reference kernels: object detection.
#ifndef DOVETAIL_CORE_REFERENCE_DETECTION_TABLE_H_
#define DOVETAIL_CORE_REFERENCE_DETECTION_TABLE_H_

#include "absl/types/span.h"
#include "dovetail/core/reference/kernel.h"

namespace dovetail {

absl::Span<const KernelRow> DetectionKernels();

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_DETECTION_TABLE_H_
