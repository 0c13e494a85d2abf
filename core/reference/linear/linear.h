// Kernels of matrix multiplications and tensors.
#ifndef DOVETAIL_CORE_REFERENCE_LINEAR_LINEAR_H_
#define DOVETAIL_CORE_REFERENCE_LINEAR_LINEAR_H_

#include "absl/status/status.h"
#include "dovetail/core/reference/kernel.h"

namespace dovetail {

absl::Status MatMulKernel(KernelContext& context);
absl::Status GroupedMatMulKernel(KernelContext& context);
absl::Status EinsumKernel(KernelContext& context);
// A singular matrix gives infinities and NaN.
absl::Status InverseKernel(KernelContext& context);
absl::Status ScaledDotProductAttentionKernel(KernelContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_LINEAR_LINEAR_H_
