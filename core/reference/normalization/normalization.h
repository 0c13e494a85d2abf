// Kernels of the normalizations. f16 and bf16 are computed in f32; sums are
// kept in double precision.
#ifndef DOVETAIL_CORE_REFERENCE_NORMALIZATION_NORMALIZATION_H_
#define DOVETAIL_CORE_REFERENCE_NORMALIZATION_NORMALIZATION_H_

#include "absl/status/status.h"
#include "dovetail/core/reference/kernel.h"

namespace dovetail {

absl::Status BatchNormKernel(KernelContext& context);
absl::Status GrnKernel(KernelContext& context);
absl::Status GroupNormKernel(KernelContext& context);
// What the greatest element is subtracted from first, so that nothing
// overflows: a lane of nothing but -infinity gives NaN.
absl::Status LogSoftmaxKernel(KernelContext& context);
absl::Status LrnKernel(KernelContext& context);
absl::Status MvnKernel(KernelContext& context);
absl::Status Mvn6Kernel(KernelContext& context);
absl::Status NormalizeL2Kernel(KernelContext& context);
absl::Status SoftmaxKernel(KernelContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_NORMALIZATION_NORMALIZATION_H_
