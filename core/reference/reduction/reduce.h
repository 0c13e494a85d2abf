// Kernels of the reductions. Floats are summed in double precision; integers
// wrap. Nothing to reduce gives 0 for a sum, a norm and a mean, 1 for a
// product, and the least (greatest) number of the type for a maximum (minimum),
// which also ignores NaN.
#ifndef DOVETAIL_CORE_REFERENCE_REDUCTION_REDUCE_H_
#define DOVETAIL_CORE_REFERENCE_REDUCTION_REDUCE_H_

#include "absl/status/status.h"
#include "dovetail/core/reference/kernel.h"

namespace dovetail {

absl::Status ReduceL1Kernel(KernelContext& context);
absl::Status ReduceL2Kernel(KernelContext& context);
absl::Status ReduceMaxKernel(KernelContext& context);
absl::Status ReduceMeanKernel(KernelContext& context);
absl::Status ReduceMinKernel(KernelContext& context);
absl::Status ReduceProdKernel(KernelContext& context);
absl::Status ReduceSumKernel(KernelContext& context);
absl::Status ReduceLogicalAndKernel(KernelContext& context);
absl::Status ReduceLogicalOrKernel(KernelContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_REDUCTION_REDUCE_H_
