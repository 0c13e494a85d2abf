#include "dovetail/core/ops/indexing/scatter/scatter_update.h"

#include <cstdint>
#include <optional>

#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/common/axes.h"
#include "dovetail/core/ops/common/checks.h"

namespace dovetail {
namespace {

absl::Status CheckUpdates(const InferContext& context, int axis) {
  const PartialShape& data = context.shape(0);
  PartialShape want = PartialShape::OfRank(0);
  for (int i = 0; i < axis; ++i) want.push_back(data[i]);
  for (const Dimension& dim : context.shape(1)) want.push_back(dim);
  for (int i = axis + 1; i < data.rank(); ++i) want.push_back(data[i]);
  if (want.Compatible(context.shape(2))) return absl::OkStatus();
  return context.Error("input 2, the updates, has shape ",
                       context.shape(2).ToString(), ", want ",
                       want.ToString());
}

}  // namespace

absl::Status InferScatterUpdate(InferContext& context) {
  DOVETAIL_ASSIGN_OR_RETURN(const ElementType type,
                            RequireSameType(context, {0, 2}));
  DOVETAIL_RETURN_IF_ERROR(RequireInteger(context, 1));
  DOVETAIL_RETURN_IF_ERROR(RequireInteger(context, 3));
  DOVETAIL_RETURN_IF_ERROR(RequireSingleElement(context, 3));
  DOVETAIL_RETURN_IF_ERROR(RequireRankAtLeast(context, 0, 1));
  const PartialShape& data = context.shape(0);
  const std::optional<int64_t> number = context.scalar_int(3);
  if (number.has_value() && data.rank_known()) {
    DOVETAIL_ASSIGN_OR_RETURN(
        const int axis,
        CheckedAxis(context, *number, data.rank(), "input 3, axis,"));
    if (context.shape(1).rank_known()) {
      DOVETAIL_RETURN_IF_ERROR(CheckUpdates(context, axis));
    }
  }
  context.SetOutput(0, type, data);
  return absl::OkStatus();
}

}  // namespace dovetail
