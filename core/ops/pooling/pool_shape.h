// Checks and inference of all poolings with a sliding window.
#ifndef DOVETAIL_CORE_OPS_POOLING_POOL_SHAPE_H_
#define DOVETAIL_CORE_OPS_POOLING_POOL_SHAPE_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "dovetail/core/graph/infer_context.h"
#include "dovetail/core/ops/common/window.h"
#include "dovetail/core/tensor/shapes/partial_shape.h"

namespace dovetail {

// The output's shape for data [N, C, spatial …] and a window of extents
// `kernel`. `torch_since` is the first version of the operation that has the
// rounding ceil_torch.
absl::StatusOr<PartialShape> InferPool(const InferContext& context,
                                       const SlidingWindow& window,
                                       const std::vector<int64_t>& kernel,
                                       int torch_since);

// The spatial axes of data and output of such a pooling while its kernel runs.
std::vector<WindowAxis> ResolvePool(const SlidingWindow& window,
                                    const std::vector<int64_t>& kernel,
                                    const Shape& data, const Shape& output);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_POOLING_POOL_SHAPE_H_
