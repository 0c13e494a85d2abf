// Select: one of two tensors, element by element.
#ifndef DOVETAIL_CORE_REFERENCE_ELEMENTWISE_SELECT_H_
#define DOVETAIL_CORE_REFERENCE_ELEMENTWISE_SELECT_H_

#include "absl/status/status.h"
#include "dovetail/core/reference/kernel.h"

namespace dovetail {

absl::Status SelectKernel(KernelContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_ELEMENTWISE_SELECT_H_
