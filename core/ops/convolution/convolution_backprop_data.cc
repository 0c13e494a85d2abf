#include "dovetail/core/ops/convolution/convolution_backprop_data.h"

#include <algorithm>
#include <optional>

#include "dovetail/core/ops/common/checks.h"
#include "dovetail/core/ops/convolution/kernel_shape.h"

namespace dovetail {
namespace {

using BackpropAttributes = ConvolutionBackpropDataAttributes;

int64_t At(const std::vector<int64_t>& list, int axis, int64_t otherwise) {
  return list.empty() ? otherwise : list[axis];
}

absl::Status CheckOutputPadding(const InferContext& context,
                                const std::vector<int64_t>& list,
                                int spatial_rank) {
  if (list.empty()) return absl::OkStatus();
  if (static_cast<int>(list.size()) != spatial_rank) {
    return context.Error("attribute 'output_padding' has ", list.size(),
                         " values, want ", spatial_rank,
                         ", one for each spatial axis");
  }
  for (int64_t value : list) {
    if (value < 0 || value > kMaxWindowNumber) {
      return context.Error("attribute 'output_padding' has the value ", value,
                           ", want 0 to ", kMaxWindowNumber);
    }
  }
  return absl::OkStatus();
}

// Spatial extents of the output as input 2 gives them.
absl::StatusOr<std::vector<Dimension>> GivenExtents(const InferContext& context,
                                                    int spatial_rank) {
  DOVETAIL_RETURN_IF_ERROR(RequireInteger(context, 2));
  DOVETAIL_RETURN_IF_ERROR(RequireRank(context, 2, 1));
  const PartialShape& shape = context.shape(2);
  if (shape.rank_known() && !shape[0].Contains(spatial_rank)) {
    return context.Error("input 2 (output_shape) has shape ", shape.ToString(),
                         ", want [", spatial_rank,
                         "], one number for each spatial axis");
  }
  const ValueRange* value = context.value(2);
  if (value == nullptr || value->size() != spatial_rank) {
    return std::vector<Dimension>(spatial_rank);
  }
  for (const ValueRange::Interval& interval : value->elements()) {
    if (interval.upper < 1) {
      return context.Error("input 2 (output_shape) holds ", interval.upper,
                           ", want extents of at least 1");
    }
  }
  return value->ToPartialShape().dims();
}

// stride * (data - 1) + span - pad_begin - pad_end + output_padding.
Dimension FullExtent(const BackpropAttributes& attributes, int axis,
                     const Dimension& data, const Dimension& kernel) {
  const SlidingWindow& window = attributes.window;
  const int64_t stride = At(window.strides, axis, 1);
  const int64_t dilation = At(window.dilations, axis, 1);
  int64_t extra = At(attributes.output_padding, axis, 0);
  if (window.auto_pad == AutoPad::kExplicit) {
    extra -= At(window.pads_begin, axis, 0) + At(window.pads_end, axis, 0);
  }
  const Dimension span =
      (kernel - Dimension(1)) * Dimension(dilation) + Dimension(1);
  const Dimension extent =
      (data - Dimension(1)) * Dimension(stride) + span;
  return extra < 0 ? extent - Dimension(-extra) : extent + Dimension(extra);
}

absl::Status CheckKernel(const InferContext& context, int axis,
                         const Dimension& kernel) {
  if (kernel.max() >= 1 && kernel.min() <= kMaxWindowNumber) {
    return absl::OkStatus();
  }
  return context.Error("the kernel has extent ", kernel.ToString(),
                       " along spatial axis ", axis, ", want 1 to ",
                       kMaxWindowNumber);
}

absl::Status Infer(InferContext& context, KernelLayout layout) {
  const auto& attributes = context.attributes<BackpropAttributes>();
  DOVETAIL_ASSIGN_OR_RETURN(const ElementType type,
                            RequireSameType(context, 0, 1));
  DOVETAIL_ASSIGN_OR_RETURN(
      const std::optional<ConvolutionShapes> shapes,
      ReadConvolutionShapes(context, attributes.window, layout));
  if (!shapes.has_value()) {
    context.SetOutput(0, type, PartialShape::DynamicRank());
    return absl::OkStatus();
  }
  const int spatial_rank = shapes->spatial_rank;
  DOVETAIL_RETURN_IF_ERROR(CheckWindow(context, attributes.window, spatial_rank,
                                       /*pads_not_negative=*/false));
  DOVETAIL_RETURN_IF_ERROR(
      CheckOutputPadding(context, attributes.output_padding, spatial_rank));
  std::vector<Dimension> given;
  if (context.has_input(2)) {
    DOVETAIL_ASSIGN_OR_RETURN(given, GivenExtents(context, spatial_rank));
  }
  PartialShape output = {shapes->batch, shapes->output_channels};
  for (int axis = 0; axis < spatial_rank; ++axis) {
    const Dimension& kernel = shapes->kernel[axis];
    DOVETAIL_RETURN_IF_ERROR(CheckKernel(context, axis, kernel));
    output.push_back(given.empty() ? FullExtent(attributes, axis,
                                                shapes->data[axis], kernel)
                                   : given[axis]);
  }
  context.SetOutput(0, type, std::move(output));
  return absl::OkStatus();
}

}  // namespace

absl::Status InferConvolutionBackpropData(InferContext& context) {
  return Infer(context, KernelLayout::kInOut);
}

absl::Status InferGroupConvolutionBackpropData(InferContext& context) {
  return Infer(context, KernelLayout::kGroupInOut);
}

WindowAxis ResolveBackpropWindow(const BackpropAttributes& attributes, int axis,
                                 int64_t data, int64_t kernel, int64_t result,
                                 bool has_output_shape) {
  const SlidingWindow& window = attributes.window;
  WindowAxis resolved;
  resolved.input = result;
  resolved.output = data;
  resolved.kernel = kernel;
  resolved.stride = At(window.strides, axis, 1);
  resolved.dilation = At(window.dilations, axis, 1);
  if (window.auto_pad == AutoPad::kExplicit) {
    resolved.pad_begin = At(window.pads_begin, axis, 0);
    resolved.pad_end = At(window.pads_end, axis, 0);
  } else if (has_output_shape && window.auto_pad != AutoPad::kValid) {
    const int64_t total = std::max<int64_t>(
        (data - 1) * resolved.stride + resolved.span() - result +
            At(attributes.output_padding, axis, 0),
        0);
    // The odd element is cut off at the side where a convolution with this
    // auto_pad would not have put it.
    const bool upper = window.auto_pad == AutoPad::kSameUpper;
    resolved.pad_end = upper ? total / 2 : total - total / 2;
    resolved.pad_begin = total - resolved.pad_end;
  }
  return resolved;
}

}  // namespace dovetail
