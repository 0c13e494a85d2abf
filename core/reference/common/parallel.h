// Parallel loops of kernels.
#ifndef DOVETAIL_CORE_REFERENCE_COMMON_PARALLEL_H_
#define DOVETAIL_CORE_REFERENCE_COMMON_PARALLEL_H_

#include <algorithm>
#include <cstdint>

#include "absl/functional/function_ref.h"
#include "dovetail/core/reference/kernel.h"

namespace dovetail {

// Work below this many simple operations is not worth a thread.
inline constexpr int64_t kOperationsPerPart = 32768;

// Calls `body(begin, end)` for parts of [0, count), of which each element
// costs about `cost` simple operations (an addition or a copied element is 1,
// an exponential some 20). What a part throws comes out when all are done.
void ParallelLoop(const KernelContext& context, int64_t count, int64_t cost,
                  absl::FunctionRef<void(int64_t begin, int64_t end)> body);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_COMMON_PARALLEL_H_
