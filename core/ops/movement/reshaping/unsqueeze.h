// Unsqueeze: puts in axes of extent 1.
#ifndef DOVETAIL_CORE_OPS_MOVEMENT_RESHAPING_UNSQUEEZE_H_
#define DOVETAIL_CORE_OPS_MOVEMENT_RESHAPING_UNSQUEEZE_H_

#include "absl/status/status.h"
#include "dovetail/core/graph/attributes.h"
#include "dovetail/core/graph/infer_context.h"

namespace dovetail {

// Inputs: data, and the new axes as they count in the output (a vector without
// repetitions, or a scalar).
absl::Status InferUnsqueeze(InferContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_MOVEMENT_RESHAPING_UNSQUEEZE_H_
