#include "dovetail/core/ops/movement/reshaping/unsqueeze.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/common/axes.h"
#include "dovetail/core/ops/common/checks.h"
#include "dovetail/core/ops/common/values.h"

namespace dovetail {
namespace {

absl::StatusOr<PartialShape> UnsqueezedShape(const InferContext& context) {
  const PartialShape& data = context.shape(0);
  const Dimension count = LengthOf(context, 1);
  if (!data.rank_known() || count.is_dynamic() || count.value() > kMaxRank) {
    return PartialShape::DynamicRank();
  }
  const int rank = data.rank() + static_cast<int>(count.value());
  const std::optional<std::vector<int64_t>> axes = context.ints(1);
  if (!axes.has_value()) {
    return count == Dimension(0) ? data : UnknownOfRank(rank);
  }
  DOVETAIL_ASSIGN_OR_RETURN(
      const std::vector<int> added,
      CheckedAxes(context, *axes, rank, "input 1, axes,"));
  std::vector<bool> is_new(rank, false);
  for (int axis : added) is_new[axis] = true;
  PartialShape shape = PartialShape::OfRank(0);
  int next = 0;
  for (int axis = 0; axis < rank; ++axis) {
    shape.push_back(is_new[axis] ? Dimension(1) : data[next++]);
  }
  return shape;
}

}  // namespace

absl::Status InferUnsqueeze(InferContext& context) {
  DOVETAIL_RETURN_IF_ERROR(RequireInteger(context, 1));
  DOVETAIL_RETURN_IF_ERROR(RequireRankBetween(context, 1, 0, 1));
  DOVETAIL_ASSIGN_OR_RETURN(PartialShape shape, UnsqueezedShape(context));
  context.SetOutput(0, context.type(0), std::move(shape));
  ForwardValue(context);
  return absl::OkStatus();
}

}  // namespace dovetail
