// The kernels of quantization.
#ifndef DOVETAIL_CORE_REFERENCE_QUANTIZATION_TABLE_H_
#define DOVETAIL_CORE_REFERENCE_QUANTIZATION_TABLE_H_

#include "absl/types/span.h"
#include "dovetail/core/reference/kernel.h"

namespace dovetail {

absl::Span<const KernelRow> QuantizationKernels();

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_QUANTIZATION_TABLE_H_
