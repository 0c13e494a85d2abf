// Select: one of two tensors, element by element.
#ifndef DOVETAIL_CORE_OPS_ELEMENTWISE_SELECT_H_
#define DOVETAIL_CORE_OPS_ELEMENTWISE_SELECT_H_

#include "absl/status/status.h"
#include "dovetail/core/graph/infer_context.h"

namespace dovetail {

// Attributes are BinaryAttributes. By pdpd, condition and else broadcast to the
// shape of then.
absl::Status InferSelect(InferContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_ELEMENTWISE_SELECT_H_
