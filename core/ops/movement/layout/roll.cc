#include "dovetail/core/ops/movement/layout/roll.h"

#include <cstdint>
#include <optional>
#include <vector>

#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/common/axes.h"
#include "dovetail/core/ops/common/checks.h"
#include "dovetail/core/ops/common/values.h"

namespace dovetail {

absl::Status InferRoll(InferContext& context) {
  for (int i = 1; i <= 2; ++i) {
    DOVETAIL_RETURN_IF_ERROR(RequireIndex(context, i));
    DOVETAIL_RETURN_IF_ERROR(RequireRankBetween(context, i, 0, 1));
  }
  const PartialShape& shift = context.shape(1);
  if (shift.rank_known() && shift.rank() == 1) {
    DOVETAIL_RETURN_IF_ERROR(RequireSameLength(context, 1, 2));
  }
  const PartialShape& data = context.shape(0);
  const std::optional<std::vector<int64_t>> axes = context.ints(2);
  if (axes.has_value() && data.rank_known()) {
    for (int64_t axis : *axes) {
      DOVETAIL_RETURN_IF_ERROR(
          CheckedAxis(context, axis, data.rank(), "input 2, axes,").status());
    }
  }
  context.SetOutput(0, context.type(0), data);
  return absl::OkStatus();
}

}  // namespace dovetail
