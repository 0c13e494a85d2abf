// The table of reference kernels. Each family of operations has its rows in a
// file of its own (convolution/table.cc, …); this is where they come together.
#ifndef DOVETAIL_CORE_REFERENCE_KERNEL_TABLE_H_
#define DOVETAIL_CORE_REFERENCE_KERNEL_TABLE_H_

#include "dovetail/core/graph/op_info.h"
#include "dovetail/core/reference/kernel.h"

namespace dovetail {

// The kernel of an operation; null when there is none yet.
KernelFn FindKernel(const OpInfo& op);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_KERNEL_TABLE_H_
