// Runs one kernel: everything around it that is the same for all.
#ifndef DOVETAIL_CORE_REFERENCE_RUN_KERNEL_H_
#define DOVETAIL_CORE_REFERENCE_RUN_KERNEL_H_

#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "dovetail/core/graph/node.h"
#include "dovetail/core/reference/kernel.h"
#include "dovetail/core/tensor/tensor.h"

namespace dovetail {

// The outputs of `node` for these inputs by this kernel: makes inputs
// contiguous, infers the outputs' shapes and allocates them, runs the kernel
// and checks what it gave. A kernel that lacks the type at hand runs in one that
// holds its elements (wide_types.h). Nothing that infers or computes throws past
// here.
// `evaluate` runs bodies; null for kernels that have none.
absl::StatusOr<std::vector<Tensor>> RunKernel(
    KernelFn kernel, const Node& node, absl::Span<const Tensor> inputs,
    const KernelEnvironment& environment,
    KernelContext::EvaluateFn evaluate = nullptr);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_RUN_KERNEL_H_
