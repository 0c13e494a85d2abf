#include "dovetail/core/ops/indexing/scatter/scatter_update.h"

#include <cstdint>
#include <optional>
#include <vector>

#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/common/axes.h"
#include "dovetail/core/ops/common/checks.h"
#include "dovetail/core/ops/indexing/scatter/scattered_values.h"

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

void PropagateUpdate(InferContext& context, int axis) {
  const std::optional<ScatterShapes> shapes = ShapesOfKnownScatter(context);
  if (!shapes.has_value()) return;
  const std::vector<int64_t> indices = *context.ints(1);
  const int64_t count = shapes->indices.Count();
  const int64_t inner = shapes->data.Count(axis + 1, shapes->data.rank());
  const int64_t extent = shapes->data[axis];
  PropagateScattered(context, *shapes,
                     [&](int64_t i) -> std::optional<int64_t> {
                       const auto at =
                           PlaceOnAxis(indices[i / inner % count], extent);
                       if (!at.has_value()) return std::nullopt;
                       const int64_t row = i / inner / count * extent + *at;
                       return row * inner + i % inner;
                     });
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
  context.SetOutput(0, type, data);
  const std::optional<int64_t> number = context.scalar_int(3);
  if (number.has_value() && data.rank_known()) {
    DOVETAIL_ASSIGN_OR_RETURN(
        const int axis,
        CheckedAxis(context, *number, data.rank(), "input 3, axis,"));
    if (context.shape(1).rank_known()) {
      DOVETAIL_RETURN_IF_ERROR(CheckUpdates(context, axis));
      PropagateUpdate(context, axis);
    }
  }
  return absl::OkStatus();
}

}  // namespace dovetail
