// Loop and TensorIterator: a body that is run again and again.
#ifndef DOVETAIL_CORE_OPS_CONTROL_LOOP_H_
#define DOVETAIL_CORE_OPS_CONTROL_LOOP_H_

#include "absl/status/status.h"
#include "dovetail/core/graph/body.h"
#include "dovetail/core/graph/infer_context.h"

namespace dovetail {

// Trip count (i32 or i64, one element; negative: no limit), condition (boolean,
// one element), what the body reads -> what the body gives. The body runs while
// its number is below the trip count and the condition, which the body gives
// anew, holds. Sliced inputs limit a loop without trip count.
absl::Status InferLoop(InferContext& context);

// What the body reads -> what the body gives, once for each part of the sliced
// inputs, of which all have as many; once when nothing is sliced.
absl::Status InferTensorIterator(InferContext& context);

// Whether the condition that the body of a Loop gives is known to hold always,
// as it does when it gives none.
bool AlwaysGoesOn(const Body& body);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_CONTROL_LOOP_H_
