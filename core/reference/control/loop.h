// Kernels of Loop and TensorIterator.
#ifndef DOVETAIL_CORE_REFERENCE_CONTROL_LOOP_H_
#define DOVETAIL_CORE_REFERENCE_CONTROL_LOOP_H_

#include <cstdint>

#include "absl/status/status.h"
#include "dovetail/core/reference/kernel.h"

namespace dovetail {

// No loop goes round more often: a trip count comes from a file or from data,
// and an inference has to end. Well beyond what models do. Cancellation is
// asked for in every iteration too.
inline constexpr int64_t kMaxIterations = int64_t{1} << 24;

// kInvalidArgument when a sliced input has fewer parts than there are
// iterations, or when an output that no back edge leads from is wanted of a
// loop that does not run; kResourceExhausted beyond kMaxIterations.
absl::Status LoopKernel(KernelContext& context);
absl::Status TensorIteratorKernel(KernelContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_CONTROL_LOOP_H_
