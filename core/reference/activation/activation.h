// Kernels of activation functions. f16 and bf16 are computed in f32.
#ifndef DOVETAIL_CORE_REFERENCE_ACTIVATION_ACTIVATION_H_
#define DOVETAIL_CORE_REFERENCE_ACTIVATION_ACTIVATION_H_

#include "absl/status/status.h"
#include "dovetail/core/reference/kernel.h"

namespace dovetail {

absl::Status EluKernel(KernelContext& context);
absl::Status GeluErfKernel(KernelContext& context);  // version 0
absl::Status GeluKernel(KernelContext& context);
absl::Status HardSigmoidKernel(KernelContext& context);
absl::Status HSigmoidKernel(KernelContext& context);
absl::Status HSwishKernel(KernelContext& context);
absl::Status MishKernel(KernelContext& context);
absl::Status PReluKernel(KernelContext& context);
absl::Status ReluKernel(KernelContext& context);
absl::Status SeluKernel(KernelContext& context);
// Integers give 1 where they are positive and 0 elsewhere.
absl::Status SigmoidKernel(KernelContext& context);
absl::Status SoftPlusKernel(KernelContext& context);
absl::Status SoftSignKernel(KernelContext& context);
absl::Status SwishKernel(KernelContext& context);
absl::Status TanhKernel(KernelContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_ACTIVATION_ACTIVATION_H_
