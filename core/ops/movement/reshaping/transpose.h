// Transpose: the axes in another order.
#ifndef DOVETAIL_CORE_OPS_MOVEMENT_RESHAPING_TRANSPOSE_H_
#define DOVETAIL_CORE_OPS_MOVEMENT_RESHAPING_TRANSPOSE_H_

#include "absl/status/status.h"
#include "dovetail/core/graph/attributes.h"
#include "dovetail/core/graph/infer_context.h"

namespace dovetail {

// Inputs: data, and the order: axis i of the output is axis order[i] of the
// data. An empty order reverses the axes.
absl::Status InferTranspose(InferContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_MOVEMENT_RESHAPING_TRANSPOSE_H_
