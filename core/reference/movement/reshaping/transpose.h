// Transpose.
#ifndef DOVETAIL_CORE_REFERENCE_MOVEMENT_RESHAPING_TRANSPOSE_H_
#define DOVETAIL_CORE_REFERENCE_MOVEMENT_RESHAPING_TRANSPOSE_H_

#include "absl/status/status.h"
#include "dovetail/core/reference/kernel.h"

namespace dovetail {

absl::Status TransposeKernel(KernelContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_MOVEMENT_RESHAPING_TRANSPOSE_H_
