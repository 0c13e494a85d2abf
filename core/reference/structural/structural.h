// Kernels of Parameter, Constant, Result and Identity.
#ifndef DOVETAIL_CORE_REFERENCE_STRUCTURAL_STRUCTURAL_H_
#define DOVETAIL_CORE_REFERENCE_STRUCTURAL_STRUCTURAL_H_

#include "absl/status/status.h"
#include "dovetail/core/reference/kernel.h"

namespace dovetail {

// The value comes from the caller, so running it is an error.
absl::Status ParameterKernel(KernelContext& context);
// The output is the constant itself, not a copy.
absl::Status ConstantKernel(KernelContext& context);
// Does nothing: the input is the model's output.
absl::Status ResultKernel(KernelContext& context);
// The output is the input itself, not a copy.
absl::Status IdentityKernel(KernelContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_STRUCTURAL_STRUCTURAL_H_
