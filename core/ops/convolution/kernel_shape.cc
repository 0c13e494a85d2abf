#include "dovetail/core/ops/convolution/kernel_shape.h"

#include <optional>

namespace dovetail {
namespace {

bool IsGrouped(KernelLayout layout) {
  return layout == KernelLayout::kGroupOutIn ||
         layout == KernelLayout::kGroupInOut;
}

bool IsInputFirst(KernelLayout layout) {
  return layout == KernelLayout::kInOut || layout == KernelLayout::kGroupInOut;
}

// Spatial rank by the first source that tells.
std::optional<int> SpatialRank(const InferContext& context,
                               const SlidingWindow& window,
                               KernelLayout layout, int kernel_input) {
  const PartialShape& data = context.shape(0);
  const PartialShape& kernel = context.shape(kernel_input);
  if (data.rank_known()) return data.rank() - 2;
  if (kernel.rank_known()) return kernel.rank() - LeadingAxes(layout);
  if (!window.strides.empty()) return static_cast<int>(window.strides.size());
  return std::nullopt;
}

absl::Status CheckRanks(const InferContext& context, KernelLayout layout,
                        int kernel_input, int spatial_rank) {
  if (spatial_rank < 1 || spatial_rank > 3) {
    return context.Error("data of shape ", context.shape(0).ToString(),
                         " with a kernel of shape ",
                         context.shape(kernel_input).ToString(), " has ",
                         spatial_rank, " spatial axes, want 1 to 3");
  }
  const PartialShape& kernel = context.shape(kernel_input);
  const int want = spatial_rank + LeadingAxes(layout);
  if (kernel.rank_known() && kernel.rank() != want) {
    return context.Error("input ", kernel_input, " (kernel) has shape ",
                         kernel.ToString(), ", want rank ", want,
                         " for data of shape ", context.shape(0).ToString());
  }
  return absl::OkStatus();
}

std::vector<Dimension> SpatialDims(const PartialShape& shape, int leading,
                                   int spatial_rank) {
  if (!shape.rank_known()) return std::vector<Dimension>(spatial_rank);
  return {shape.begin() + leading, shape.end()};
}

// Number of groups; when it is not known, what the other extents say.
Dimension Groups(const PartialShape& kernel, KernelLayout layout,
                 const Dimension& channels, const Dimension& per_group) {
  if (!IsGrouped(layout)) return 1;
  if (kernel[0].is_static()) return kernel[0];
  if (channels.is_static() && per_group.is_static() && per_group.value() > 0) {
    return channels.value() / per_group.value();
  }
  return kernel[0];
}

}  // namespace

int LeadingAxes(KernelLayout layout) { return IsGrouped(layout) ? 3 : 2; }

absl::StatusOr<std::optional<ConvolutionShapes>> ReadConvolutionShapes(
    const InferContext& context, const SlidingWindow& window,
    KernelLayout layout, int kernel_input, int64_t groups) {
  const std::optional<int> spatial_rank =
      SpatialRank(context, window, layout, kernel_input);
  if (!spatial_rank.has_value()) return std::nullopt;
  DOVETAIL_RETURN_IF_ERROR(
      CheckRanks(context, layout, kernel_input, *spatial_rank));

  const PartialShape& data = context.shape(0);
  const PartialShape& kernel = context.shape(kernel_input);
  const int leading = LeadingAxes(layout);
  ConvolutionShapes shapes;
  shapes.spatial_rank = *spatial_rank;
  shapes.data = SpatialDims(data, 2, *spatial_rank);
  shapes.kernel = SpatialDims(kernel, leading, *spatial_rank);
  if (data.rank_known()) shapes.batch = data[0];
  if (!kernel.rank_known()) return shapes;

  const int in_axis = leading - (IsInputFirst(layout) ? 2 : 1);
  const int out_axis = leading - (IsInputFirst(layout) ? 1 : 2);
  const Dimension channels = data.rank_known() ? data[1] : Dimension();
  const Dimension in = kernel[in_axis] * Dimension(groups);
  const Dimension kernel_groups = Groups(kernel, layout, channels, in);
  if (kernel_groups.max() < 1) {
    return context.Error("the kernel of shape ", kernel.ToString(),
                         " has no groups, want at least 1");
  }
  if (!channels.Compatible(kernel_groups * in)) {
    return context.Error("data of shape ", data.ToString(), " has ",
                         channels.ToString(),
                         " channels, and the kernel of shape ",
                         kernel.ToString(), " wants ",
                         (kernel_groups * in).ToString());
  }
  shapes.output_channels = kernel_groups * kernel[out_axis];
  return shapes;
}

absl::StatusOr<PartialShape> ConvolvedShape(const InferContext& context,
                                            const SlidingWindow& window,
                                            const ConvolutionShapes& shapes) {
  PartialShape output = {shapes.batch, shapes.output_channels};
  for (int axis = 0; axis < shapes.spatial_rank; ++axis) {
    DOVETAIL_ASSIGN_OR_RETURN(
        const Dimension extent,
        WindowCount(context, window, axis, shapes.data[axis],
                    shapes.kernel[axis]));
    output.push_back(extent);
  }
  return output;
}

}  // namespace dovetail
