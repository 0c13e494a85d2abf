#include "dovetail/core/ops/indexing/gather/gather_elements.h"

#include <utility>

#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/common/axes.h"
#include "dovetail/core/ops/common/checks.h"

namespace dovetail {

absl::Status InferGatherElements(InferContext& context) {
  DOVETAIL_RETURN_IF_ERROR(RequireIndex(context, 1));
  DOVETAIL_RETURN_IF_ERROR(RequireRankAtLeast(context, 0, 1));
  const PartialShape& data = context.shape(0);
  PartialShape shape = context.shape(1);
  if (data.rank_known() && !shape.rank_known()) {
    shape = data;
    DOVETAIL_ASSIGN_OR_RETURN(
        const int axis,
        CheckedAxis(context,
                    context.attributes<GatherElementsAttributes>().axis,
                    data.rank()));
    shape[axis] = Dimension::Unknown();
  } else if (data.rank_known()) {
    DOVETAIL_RETURN_IF_ERROR(RequireRank(context, 1, data.rank()));
    DOVETAIL_ASSIGN_OR_RETURN(
        const int axis,
        CheckedAxis(context,
                    context.attributes<GatherElementsAttributes>().axis,
                    data.rank()));
    for (int i = 0; i < data.rank(); ++i) {
      if (i == axis) continue;
      DOVETAIL_ASSIGN_OR_RETURN(
          shape[i], RequireSameDimension(context, 0, i, 1, i, "extent"));
    }
  }
  context.SetOutput(0, context.type(0), std::move(shape));
  return absl::OkStatus();
}

}  // namespace dovetail
