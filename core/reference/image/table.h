// Rows of the table of kernels: images.
#ifndef DOVETAIL_CORE_REFERENCE_IMAGE_TABLE_H_
#define DOVETAIL_CORE_REFERENCE_IMAGE_TABLE_H_

#include "absl/types/span.h"
#include "dovetail/core/reference/kernel.h"

namespace dovetail {

absl::Span<const KernelRow> ImageKernels();

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_IMAGE_TABLE_H_
