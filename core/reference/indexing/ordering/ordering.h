// TopK, Unique, NonZero, Bucketize, SearchSorted, OneHot and CumSum.
#ifndef DOVETAIL_CORE_REFERENCE_INDEXING_ORDERING_ORDERING_H_
#define DOVETAIL_CORE_REFERENCE_INDEXING_ORDERING_ORDERING_H_

#include "absl/status/status.h"
#include "dovetail/core/reference/kernel.h"

namespace dovetail {

// Among equal elements the first comes first. NaN is greater than any number.
absl::Status TopKKernel(KernelContext& context);
// Every NaN is an element of its own, and greater than any number.
absl::Status UniqueKernel(KernelContext& context);
absl::Status NonZeroKernel(KernelContext& context);
absl::Status BucketizeKernel(KernelContext& context);
absl::Status SearchSortedKernel(KernelContext& context);
absl::Status OneHotKernel(KernelContext& context);
absl::Status CumSumKernel(KernelContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_INDEXING_ORDERING_ORDERING_H_
