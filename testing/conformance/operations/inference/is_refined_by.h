// Test of whether inference, told less, says less: the promise that a model of
// unknown shapes is right for every shape that comes.
#ifndef DOVETAIL_TESTING_CONFORMANCE_OPERATIONS_INFERENCE_IS_REFINED_BY_H_
#define DOVETAIL_TESTING_CONFORMANCE_OPERATIONS_INFERENCE_IS_REFINED_BY_H_

#include "absl/status/status.h"
#include "dovetail/core/graph/model.h"
#include "dovetail/core/graph/node.h"

namespace dovetail {

// Whether whatever `more` allows of type, shape and known values, `less` allows
// too. kInvalidArgument shows both.
absl::Status IsRefinedBy(const OutputPort& less, const OutputPort& more);

// All ports of `less`, a copy of `more` but for shapes of inputs. The error
// names the first node of which it says more.
absl::Status IsRefinedBy(const Model& less, const Model& more);

}  // namespace dovetail

#endif  // DOVETAIL_TESTING_CONFORMANCE_OPERATIONS_INFERENCE_IS_REFINED_BY_H_
