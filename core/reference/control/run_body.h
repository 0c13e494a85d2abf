// Running a body once.
#ifndef DOVETAIL_CORE_REFERENCE_CONTROL_RUN_BODY_H_
#define DOVETAIL_CORE_REFERENCE_CONTROL_RUN_BODY_H_

#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "dovetail/core/graph/body.h"
#include "dovetail/core/ops/control/body_bindings.h"
#include "dovetail/core/reference/kernel.h"

namespace dovetail {

// One tensor a parameter: the whole input that feeds it. Those that are given
// parts or the iteration's number are left empty, those that nothing feeds get
// zeros.
absl::StatusOr<std::vector<Tensor>> FirstParameters(
    const KernelContext& context, const Body& body,
    const std::vector<ParameterSource>& sources);

// A copy of the body, inferred for parameters of these shapes: what is known of
// its results without running it.
absl::StatusOr<std::unique_ptr<Body>> InferredBody(
    const KernelContext& context, const Body& body,
    absl::Span<const Shape> parameters);

// The results of the body, one tensor a result. Errors name this node too.
// kInvalidArgument when more than kMaxBodyDepth bodies are running.
absl::StatusOr<std::vector<Tensor>> RunBody(const KernelContext& context,
                                            const Body& body,
                                            absl::Span<const Tensor> inputs);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_CONTROL_RUN_BODY_H_
