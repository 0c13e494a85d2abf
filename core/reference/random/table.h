// Rows of the table of kernels: RandomUniform and Multinomial.
#ifndef DOVETAIL_CORE_REFERENCE_RANDOM_TABLE_H_
#define DOVETAIL_CORE_REFERENCE_RANDOM_TABLE_H_

#include "absl/types/span.h"
#include "dovetail/core/reference/kernel.h"

namespace dovetail {

absl::Span<const KernelRow> RandomKernels();

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_RANDOM_TABLE_H_
