// The reference kernels with little memory and time, and what errors may be.
#ifndef DOVETAIL_TESTING_CONFORMANCE_MUTATION_LIMITED_RUN_H_
#define DOVETAIL_TESTING_CONFORMANCE_MUTATION_LIMITED_RUN_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "dovetail/core/graph/model.h"
#include "dovetail/core/tensor/tensor.h"

namespace dovetail {

// Inputs of subjects are some kilobytes.
inline constexpr int64_t kMaxLimitedOutputBytes = 256 << 10;

using LimitedOutputs = absl::StatusOr<std::vector<Tensor>>;

// Runs an inferred model. kResourceExhausted when an operation wants a larger
// output than the above, kCancelled for loops of thousands of iterations.
LimitedOutputs RunLimited(const Model& model,
                          const std::vector<Tensor>& inputs);

// "" for errors as they should be: with a message, and not of those that say
// that we are at fault. `step` is what failed, for the answer.
std::string WrongError(absl::string_view step, const absl::Status& status);

// Whether the model, with its bodies, gives the same each time.
bool IsDeterministic(const Model& model);

}  // namespace dovetail

#endif  // DOVETAIL_TESTING_CONFORMANCE_MUTATION_LIMITED_RUN_H_
