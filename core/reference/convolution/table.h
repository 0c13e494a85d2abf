// Rows of the table of kernels: convolutions.
#ifndef DOVETAIL_CORE_REFERENCE_CONVOLUTION_TABLE_H_
#define DOVETAIL_CORE_REFERENCE_CONVOLUTION_TABLE_H_

#include "absl/types/span.h"
#include "dovetail/core/reference/kernel.h"

namespace dovetail {

absl::Span<const KernelRow> ConvolutionKernels();

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_CONVOLUTION_TABLE_H_
