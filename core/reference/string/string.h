// Kernels of StringTensorPack and StringTensorUnpack.
#ifndef DOVETAIL_CORE_REFERENCE_STRING_STRING_H_
#define DOVETAIL_CORE_REFERENCE_STRING_STRING_H_

#include "absl/status/status.h"
#include "dovetail/core/reference/kernel.h"

namespace dovetail {

// kInvalidArgument for a string that does not lie within the symbols.
absl::Status StringTensorPackKernel(KernelContext& context);
// Strings follow each other without a gap.
absl::Status StringTensorUnpackKernel(KernelContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_STRING_STRING_H_
