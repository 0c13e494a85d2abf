// Where a tensor's elements are not zero.
#ifndef DOVETAIL_BACKENDS_COMMON_KERNELS_INDEXING_NON_ZERO_H_
#define DOVETAIL_BACKENDS_COMMON_KERNELS_INDEXING_NON_ZERO_H_

#include "absl/status/status.h"
#include "dovetail/core/reference/kernel.h"

namespace dovetail {

// NonZero, with the results of the reference kernel, on all threads.
absl::Status HostNonZero(KernelContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_COMMON_KERNELS_INDEXING_NON_ZERO_H_
