#include "dovetail/core/ops/pooling/avg_pool.h"

#include "dovetail/core/ops/pooling/pool_shape.h"

namespace dovetail {
namespace {

// A window in the padding alone has nothing to average when padding does not
// count.
absl::Status CheckPads(const InferContext& context,
                       const SlidingWindow& window,
                       const std::vector<int64_t>& kernel) {
  if (window.auto_pad != AutoPad::kExplicit) return absl::OkStatus();
  for (size_t axis = 0; axis < kernel.size(); ++axis) {
    const int64_t dilation =
        window.dilations.empty() ? 1 : window.dilations[axis];
    const int64_t span = (kernel[axis] - 1) * dilation + 1;
    for (const auto* pads : {&window.pads_begin, &window.pads_end}) {
      if (!pads->empty() && (*pads)[axis] >= span) {
        return context.Error(
            "a padding of ", (*pads)[axis], " along spatial axis ", axis,
            " leaves windows of ", span,
            " elements without any of the input, want less than ", span);
      }
    }
  }
  return absl::OkStatus();
}

}  // namespace

const AvgPoolAttributes& AvgPoolAttributesOf(const Node& node) {
  if (const auto* newer = node.As<AvgPool16Attributes>()) return newer->base;
  return *node.As<AvgPoolAttributes>();
}

absl::Status InferAvgPool(InferContext& context) {
  const AvgPoolAttributes& attributes = AvgPoolAttributesOf(context.node());
  DOVETAIL_ASSIGN_OR_RETURN(
      PartialShape output,
      InferPool(context, attributes.window, attributes.kernel,
                /*torch_since=*/14));
  if (attributes.exclude_pad) {
    DOVETAIL_RETURN_IF_ERROR(
        CheckPads(context, attributes.window, attributes.kernel));
  }
  context.SetOutput(0, context.type(0), std::move(output));
  return absl::OkStatus();
}

}  // namespace dovetail
