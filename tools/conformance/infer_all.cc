#include "dovetail/tools/conformance/infer_all.h"

namespace dovetail::conformance {

absl::Status InferAll(absl::Span<InferRequest> requests) {
  if (requests.size() == 1) return requests.front().Infer();
  absl::Status first_error;
  for (InferRequest& request : requests) {
    first_error.Update(request.StartAsync());
  }
  // One that has not been started has its error there already.
  for (InferRequest& request : requests) first_error.Update(request.Wait());
  return first_error;
}

}  // namespace dovetail::conformance
