// Kernels of poolings.
#ifndef DOVETAIL_CORE_REFERENCE_POOLING_POOLING_H_
#define DOVETAIL_CORE_REFERENCE_POOLING_POOLING_H_

#include "absl/status/status.h"
#include "dovetail/core/reference/kernel.h"

namespace dovetail {

// The mean of integers is rounded to the nearest, ties to even; that of no
// element is 0, and NaN for floats.
absl::Status AvgPoolKernel(KernelContext& context);
absl::Status AdaptiveAvgPoolKernel(KernelContext& context);
// The first of several greatest elements counts; NaN only when there is nothing
// else. A window without an element gives the type's lowest number and index 0.
absl::Status MaxPoolKernel(KernelContext& context);
absl::Status AdaptiveMaxPoolKernel(KernelContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_POOLING_POOLING_H_
