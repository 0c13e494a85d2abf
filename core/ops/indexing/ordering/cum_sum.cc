#include "dovetail/core/ops/indexing/ordering/cum_sum.h"

#include <algorithm>
#include <optional>

#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/common/axes.h"
#include "dovetail/core/ops/common/checks.h"

namespace dovetail {

absl::Status InferCumSum(InferContext& context) {
  if (context.has_input(1)) {
    DOVETAIL_RETURN_IF_ERROR(RequireIndex(context, 1));
    DOVETAIL_RETURN_IF_ERROR(RequireSingleElement(context, 1));
    const std::optional<int64_t> axis = context.scalar_int(1);
    if (axis.has_value() && context.shape(0).rank_known()) {
      // A scalar counts as a vector.
      DOVETAIL_RETURN_IF_ERROR(
          CheckedAxis(context, *axis, std::max(context.shape(0).rank(), 1),
                      "input 1, axis,")
              .status());
    }
  }
  context.SetOutput(0, context.type(0), context.shape(0));
  return absl::OkStatus();
}

}  // namespace dovetail
