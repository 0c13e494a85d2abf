#include "dovetail/core/ops/ctc/ctc_loss.h"

#include <optional>

#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/common/checks.h"

namespace dovetail {

absl::Status InferCtcLoss(InferContext& context) {
  DOVETAIL_RETURN_IF_ERROR(RequireRank(context, 0, 3));
  for (int input = 1; input < context.input_count(); ++input) {
    DOVETAIL_RETURN_IF_ERROR(RequireIndex(context, input));
  }
  DOVETAIL_RETURN_IF_ERROR(RequireRank(context, 1, 1));
  DOVETAIL_RETURN_IF_ERROR(RequireRank(context, 2, 2));
  DOVETAIL_RETURN_IF_ERROR(RequireRank(context, 3, 1));
  if (context.has_input(4)) {
    DOVETAIL_RETURN_IF_ERROR(RequireSingleElement(context, 4));
  }
  DOVETAIL_RETURN_IF_ERROR(
      RequireSameDimension(context, 0, 1, 2, 1, "T").status());
  Dimension batch;
  for (int input = 1; input <= 3; ++input) {
    DOVETAIL_ASSIGN_OR_RETURN(
        const Dimension both,
        RequireSameDimension(context, 0, 0, input, 0, "N"));
    const std::optional<Dimension> all = Intersect(batch, both);
    if (!all.has_value()) {
      return context.Error("input ", input, " has ", both.ToString(),
                           " as N, want ", batch.ToString(),
                           " as the inputs before it");
    }
    batch = *all;
  }
  context.SetOutput(0, context.type(0), PartialShape{batch});
  return absl::OkStatus();
}

}  // namespace dovetail
