// Kernels of discrete Fourier transforms. They compute in double, whatever the
// element type.
#ifndef DOVETAIL_CORE_REFERENCE_SIGNAL_SIGNAL_H_
#define DOVETAIL_CORE_REFERENCE_SIGNAL_SIGNAL_H_

#include "absl/status/status.h"
#include "dovetail/core/reference/kernel.h"

namespace dovetail {

absl::Status DftKernel(KernelContext& context);
absl::Status IdftKernel(KernelContext& context);
absl::Status RdftKernel(KernelContext& context);
absl::Status IrdftKernel(KernelContext& context);
absl::Status StftKernel(KernelContext& context);
absl::Status IstftKernel(KernelContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_SIGNAL_SIGNAL_H_
