// Roll: elements shifted along axes; what falls off comes back in front.
#ifndef DOVETAIL_CORE_OPS_MOVEMENT_LAYOUT_ROLL_H_
#define DOVETAIL_CORE_OPS_MOVEMENT_LAYOUT_ROLL_H_

#include "absl/status/status.h"
#include "dovetail/core/graph/infer_context.h"

namespace dovetail {

// Inputs: data, shift (a scalar, or one number an axis), axes (a scalar or a
// vector; an axis that is there twice is shifted twice).
absl::Status InferRoll(InferContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_MOVEMENT_LAYOUT_ROLL_H_
