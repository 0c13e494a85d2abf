// Runs a change on a model and on all bodies within.
#ifndef DOVETAIL_CORE_PASS_FOR_EACH_MODEL_H_
#define DOVETAIL_CORE_PASS_FOR_EACH_MODEL_H_

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "dovetail/core/graph/model.h"

namespace dovetail {

// Calls `change` on the bodies, innermost first, and last on `model`; answers
// whether any call changed something. Stops at the first error.
// kInvalidArgument when bodies are nested too deep (kMaxBodyDepth).
absl::StatusOr<bool> ForEachModel(
    Model& model, absl::FunctionRef<absl::StatusOr<bool>(Model&)> change);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_PASS_FOR_EACH_MODEL_H_
