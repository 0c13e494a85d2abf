#include "dovetail/core/ops/pooling/avg_pool.h"

#include "dovetail/core/ops/pooling/pool_shape.h"

namespace dovetail {

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
  context.SetOutput(0, context.type(0), std::move(output));
  return absl::OkStatus();
}

}  // namespace dovetail
