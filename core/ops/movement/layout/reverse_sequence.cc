#include "dovetail/core/ops/movement/layout/reverse_sequence.h"

#include <optional>
#include <utility>

#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/common/axes.h"
#include "dovetail/core/ops/common/checks.h"
#include "dovetail/core/ops/common/values.h"

namespace dovetail {

absl::Status InferReverseSequence(InferContext& context) {
  const auto& attributes = context.attributes<ReverseSequenceAttributes>();
  DOVETAIL_RETURN_IF_ERROR(RequireRankAtLeast(context, 0, 2));
  DOVETAIL_RETURN_IF_ERROR(RequireNumeric(context, 1));
  DOVETAIL_RETURN_IF_ERROR(RequireRank(context, 1, 1));
  PartialShape shape = context.shape(0);
  if (shape.rank_known()) {
    DOVETAIL_ASSIGN_OR_RETURN(
        const int batch, CheckedAxis(context, attributes.batch_axis,
                                     shape.rank(), "batch_axis"));
    DOVETAIL_ASSIGN_OR_RETURN(
        const int sequence,
        CheckedAxis(context, attributes.seq_axis, shape.rank(), "seq_axis"));
    if (sequence == batch) {
      return context.Error("batch_axis and seq_axis are both ", batch,
                           ", want two axes");
    }
    const Dimension length = LengthOf(context, 1);
    const std::optional<Dimension> both = Intersect(shape[batch], length);
    if (!both.has_value()) {
      return context.Error("input 1, the lengths, has ", length.ToString(),
                           " elements, want ", shape[batch].ToString(),
                           ", the batch of input 0");
    }
    shape[batch] = *both;
  }
  context.SetOutput(0, context.type(0), std::move(shape));
  return absl::OkStatus();
}

}  // namespace dovetail
