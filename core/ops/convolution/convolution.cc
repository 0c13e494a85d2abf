#include "dovetail/core/ops/convolution/convolution.h"

#include <optional>

#include "dovetail/core/ops/common/checks.h"
#include "dovetail/core/ops/convolution/kernel_shape.h"

namespace dovetail {
namespace {

absl::Status Infer(InferContext& context, KernelLayout layout) {
  const SlidingWindow& window =
      context.attributes<ConvolutionAttributes>().window;
  DOVETAIL_ASSIGN_OR_RETURN(const ElementType type,
                            RequireSameType(context, 0, 1));
  DOVETAIL_ASSIGN_OR_RETURN(const std::optional<ConvolutionShapes> shapes,
                            ReadConvolutionShapes(context, window, layout));
  if (!shapes.has_value()) {
    context.SetOutput(0, type, PartialShape::DynamicRank());
    return absl::OkStatus();
  }
  DOVETAIL_RETURN_IF_ERROR(CheckWindow(context, window, shapes->spatial_rank,
                                       /*pads_not_negative=*/false));
  DOVETAIL_ASSIGN_OR_RETURN(PartialShape output,
                            ConvolvedShape(context, window, *shapes));
  context.SetOutput(0, type, std::move(output));
  return absl::OkStatus();
}

}  // namespace

absl::Status InferConvolution(InferContext& context) {
  return Infer(context, KernelLayout::kOutIn);
}

absl::Status InferGroupConvolution(InferContext& context) {
  return Infer(context, KernelLayout::kGroupOutIn);
}

}  // namespace dovetail
