// Gather, GatherElements, GatherND and GatherTree.
#ifndef DOVETAIL_CORE_REFERENCE_INDEXING_GATHER_GATHER_H_
#define DOVETAIL_CORE_REFERENCE_INDEXING_GATHER_GATHER_H_

#include "absl/status/status.h"
#include "dovetail/core/reference/kernel.h"

namespace dovetail {

// An index outside of its axis gives zeros. Version 8 counts negative indices
// from the end; for the others they are outside.
absl::Status GatherKernel(KernelContext& context);
// Negative indices count from the end; others outside are errors.
absl::Status GatherElementsKernel(KernelContext& context);
absl::Status GatherNDKernel(KernelContext& context);
absl::Status GatherTreeKernel(KernelContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_INDEXING_GATHER_GATHER_H_
