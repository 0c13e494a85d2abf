// Rows of the table of kernels: discrete Fourier transforms.
#ifndef DOVETAIL_CORE_REFERENCE_SIGNAL_TABLE_H_
#define DOVETAIL_CORE_REFERENCE_SIGNAL_TABLE_H_

#include "absl/types/span.h"
#include "dovetail/core/reference/kernel.h"

namespace dovetail {

absl::Span<const KernelRow> SignalKernels();

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_SIGNAL_TABLE_H_
