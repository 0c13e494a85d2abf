// The kernels of the operations that read, write or find elements by index.
#ifndef DOVETAIL_CORE_REFERENCE_INDEXING_TABLE_H_
#define DOVETAIL_CORE_REFERENCE_INDEXING_TABLE_H_

#include "absl/types/span.h"
#include "dovetail/core/reference/kernel.h"

namespace dovetail {

absl::Span<const KernelRow> IndexingKernels();

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_INDEXING_TABLE_H_
