// Rows of the table of kernels: activation functions of neural networks.
#ifndef DOVETAIL_CORE_REFERENCE_ACTIVATION_TABLE_H_
#define DOVETAIL_CORE_REFERENCE_ACTIVATION_TABLE_H_

#include "absl/types/span.h"
#include "dovetail/core/reference/kernel.h"

namespace dovetail {

absl::Span<const KernelRow> ActivationKernels();

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_ACTIVATION_TABLE_H_
