#include "dovetail/core/ops/normalization/axes.h"

#include <optional>

#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/common/axes.h"
#include "dovetail/core/ops/common/checks.h"

namespace dovetail {

std::vector<bool> AxisFlags(absl::Span<const int64_t> axes, int rank) {
  std::vector<bool> flags(rank, false);
  for (int64_t axis : axes) {
    if (axis < 0) axis += rank;
    if (axis >= 0 && axis < rank) flags[axis] = true;
  }
  return flags;
}

absl::Status InferAlongAxes(InferContext& context) {
  DOVETAIL_RETURN_IF_ERROR(RequireInteger(context, 1));
  DOVETAIL_RETURN_IF_ERROR(RequireRankBetween(context, 1, 0, 1));
  const PartialShape& data = context.shape(0);
  const std::optional<std::vector<int64_t>> axes = context.ints(1);
  if (axes.has_value() && data.rank_known()) {
    for (int64_t axis : *axes) {
      DOVETAIL_RETURN_IF_ERROR(
          CheckedAxis(context, axis, data.rank(), "axis").status());
    }
  }
  context.SetOutput(0, context.type(0), data);
  return absl::OkStatus();
}

}  // namespace dovetail
