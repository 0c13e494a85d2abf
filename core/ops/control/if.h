// If: one of two bodies.
#ifndef DOVETAIL_CORE_OPS_CONTROL_IF_H_
#define DOVETAIL_CORE_OPS_CONTROL_IF_H_

#include "absl/status/status.h"
#include "dovetail/core/graph/infer_context.h"

namespace dovetail {

// Condition (boolean, one element), what the bodies read -> what both bodies
// give: bodies 0 (then) and 1 (else) have the same outputs. When the condition
// is known the other body may be one that does not work for these inputs.
absl::Status InferIf(InferContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_CONTROL_IF_H_
