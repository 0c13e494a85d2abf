// One inference of several requests, at the same time.
#ifndef DOVETAIL_TOOLS_CONFORMANCE_INFER_ALL_H_
#define DOVETAIL_TOOLS_CONFORMANCE_INFER_ALL_H_

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "dovetail/core/runtime/runtime.h"

namespace dovetail::conformance {

// Starts all, whose inputs are set, waits for all, and answers the first error;
// of one alone by Infer. Devices made of others use all of theirs so: a single
// request would be no batch, and run on the first device of a list alone.
absl::Status InferAll(absl::Span<InferRequest> requests);

}  // namespace dovetail::conformance

#endif  // DOVETAIL_TOOLS_CONFORMANCE_INFER_ALL_H_
