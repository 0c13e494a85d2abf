#include "dovetail/core/ops/linear/inverse.h"

#include "dovetail/core/ops/common/checks.h"

namespace dovetail {

absl::Status InferInverse(InferContext& context) {
  DOVETAIL_RETURN_IF_ERROR(RequireRankAtLeast(context, 0, 2));
  PartialShape shape = context.shape(0);
  if (shape.rank_known()) {
    const int rank = shape.rank();
    const std::optional<Dimension> n =
        Intersect(shape[rank - 2], shape[rank - 1]);
    if (!n.has_value()) {
      return context.Error("input 0 has shape ", shape.ToString(),
                           ", want square matrices");
    }
    shape[rank - 2] = shape[rank - 1] = *n;
  }
  context.SetOutput(0, context.type(0), std::move(shape));
  return absl::OkStatus();
}

}  // namespace dovetail
