#include "dovetail/core/ops/indexing/gather/gather_tree.h"

#include <optional>
#include <utility>

#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/common/checks.h"

namespace dovetail {

absl::Status InferGatherTree(InferContext& context) {
  DOVETAIL_ASSIGN_OR_RETURN(const ElementType type,
                            RequireSameType(context, 0, 3));
  DOVETAIL_RETURN_IF_ERROR(RequireRank(context, 0, 3));
  DOVETAIL_RETURN_IF_ERROR(RequireRank(context, 1, 3));
  DOVETAIL_RETURN_IF_ERROR(RequireRank(context, 2, 1));
  DOVETAIL_RETURN_IF_ERROR(RequireRank(context, 3, 0));
  std::optional<PartialShape> shape =
      Intersect(context.shape(0), context.shape(1));
  if (!shape.has_value()) {
    return context.Error("input 1 has shape ", context.shape(1).ToString(),
                         ", want ", context.shape(0).ToString(),
                         " as input 0 has");
  }
  if (shape->rank_known() && context.shape(2).rank_known() &&
      !(*shape)[1].Compatible(context.shape(2)[0])) {
    return context.Error("input 2 has shape ", context.shape(2).ToString(),
                         ", want [", (*shape)[1].ToString(),
                         "], the batch of input 0");
  }
  context.SetOutput(0, type, *std::move(shape));
  return absl::OkStatus();
}

}  // namespace dovetail
