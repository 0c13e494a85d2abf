#include "dovetail/core/ops/pooling/pool_shape.h"

#include "dovetail/core/ops/common/checks.h"

namespace dovetail {
namespace {

absl::Status CheckKernel(const InferContext& context,
                         const std::vector<int64_t>& kernel) {
  if (kernel.empty() || kernel.size() > 3) {
    return context.Error("attribute 'kernel' has ", kernel.size(),
                         " values, want one for each of 1 to 3 spatial axes");
  }
  for (int64_t extent : kernel) {
    if (extent < 1 || extent > kMaxWindowNumber) {
      return context.Error("attribute 'kernel' has the value ", extent,
                           ", want 1 to ", kMaxWindowNumber);
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<PartialShape> InferPool(const InferContext& context,
                                       const SlidingWindow& window,
                                       const std::vector<int64_t>& kernel,
                                       int torch_since) {
  DOVETAIL_RETURN_IF_ERROR(CheckKernel(context, kernel));
  const int spatial_rank = static_cast<int>(kernel.size());
  DOVETAIL_RETURN_IF_ERROR(RequireRank(context, 0, spatial_rank + 2));
  DOVETAIL_RETURN_IF_ERROR(CheckWindow(context, window, spatial_rank,
                                       /*pads_not_negative=*/true));
  if (window.rounding == Rounding::kCeilTorch &&
      context.node().op().version < torch_since) {
    return context.Error(
        "attribute 'rounding_type' is ceil_torch, which version ", torch_since,
        " of the operation introduces; want floor or ceil");
  }
  PartialShape data = context.shape(0);
  if (!data.rank_known()) data = PartialShape::OfRank(spatial_rank + 2);
  PartialShape output = {data[0], data[1]};
  for (int axis = 0; axis < spatial_rank; ++axis) {
    DOVETAIL_ASSIGN_OR_RETURN(
        const Dimension extent,
        WindowCount(context, window, axis, data[2 + axis], kernel[axis]));
    output.push_back(extent);
  }
  return output;
}

std::vector<WindowAxis> ResolvePool(const SlidingWindow& window,
                                    const std::vector<int64_t>& kernel,
                                    const Shape& data, const Shape& output) {
  std::vector<WindowAxis> axes;
  for (int axis = 0; axis < static_cast<int>(kernel.size()); ++axis) {
    axes.push_back(ResolveWindow(window, axis, data[2 + axis], kernel[axis],
                                 output[2 + axis]));
  }
  return axes;
}

}  // namespace dovetail
