// ScatterUpdate, ScatterElementsUpdate and ScatterNDUpdate. Where an index is
// there several times, updates are taken in their order.
#ifndef DOVETAIL_CORE_REFERENCE_INDEXING_SCATTER_SCATTER_H_
#define DOVETAIL_CORE_REFERENCE_INDEXING_SCATTER_SCATTER_H_

#include "absl/status/status.h"
#include "dovetail/core/reference/kernel.h"

namespace dovetail {

absl::Status ScatterUpdateKernel(KernelContext& context);
// Negative indices count from the end; others outside are errors.
absl::Status ScatterElementsUpdateKernel(KernelContext& context);
absl::Status ScatterNDUpdateKernel(KernelContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_INDEXING_SCATTER_SCATTER_H_
