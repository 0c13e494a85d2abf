// Whole operations that the host computes faster than the reference kernels do.
#ifndef DOVETAIL_BACKENDS_COMMON_KERNELS_HOST_KERNELS_H_
#define DOVETAIL_BACKENDS_COMMON_KERNELS_HOST_KERNELS_H_

#include "dovetail/core/graph/op_info.h"
#include "dovetail/core/reference/kernel.h"

namespace dovetail {

// For KernelEnvironment::find_kernel of devices that fall back on the host:
// results are those of the reference kernels. Null where there is none.
KernelFn FindHostKernel(const OpInfo& op);

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_COMMON_KERNELS_HOST_KERNELS_H_
