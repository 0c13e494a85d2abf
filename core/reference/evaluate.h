// Runs operations on tensors by their reference kernels.
#ifndef DOVETAIL_CORE_REFERENCE_EVALUATE_H_
#define DOVETAIL_CORE_REFERENCE_EVALUATE_H_

#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "dovetail/core/graph/model.h"
#include "dovetail/core/reference/kernel.h"

namespace dovetail {

// The outputs of `node` for these inputs: infers their shapes from the tensors
// at hand, allocates them and runs the kernel. kUnimplemented, with the
// operation's name, when there is no inference or no kernel.
absl::StatusOr<std::vector<Tensor>> EvaluateNode(
    const Node& node, absl::Span<const Tensor> inputs,
    const KernelEnvironment& environment);

// The results of a whole model or body, one tensor a result, for one tensor a
// parameter. Intermediate tensors are freed after their last use. Kernels of
// operations with bodies call KernelContext::EvaluateBody instead, because this
// library depends on all kernels.
absl::StatusOr<std::vector<Tensor>> EvaluateModel(
    const Model& model, absl::Span<const Tensor> inputs,
    const KernelEnvironment& environment);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_EVALUATE_H_
