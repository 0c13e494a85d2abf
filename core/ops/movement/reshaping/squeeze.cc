#include "dovetail/core/ops/movement/reshaping/squeeze.h"

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

const Dimension kOne(1);

// Without axes: every extent of 1 goes. Unknown as soon as one may be 1.
PartialShape DropAllOnes(const PartialShape& data) {
  PartialShape shape = PartialShape::OfRank(0);
  for (const Dimension& dim : data) {
    if (dim == kOne) continue;
    if (dim.Contains(1)) return PartialShape::DynamicRank();
    shape.push_back(dim);
  }
  return shape;
}

absl::StatusOr<PartialShape> DropAxes(const InferContext& context,
                                      const std::vector<int64_t>& axes) {
  const PartialShape& data = context.shape(0);
  std::vector<bool> drop(data.rank(), false);
  for (int64_t axis : axes) {
    DOVETAIL_ASSIGN_OR_RETURN(
        const int checked,
        CheckedAxis(context, axis, data.rank(), "input 1, axes,"));
    drop[checked] = true;
  }
  const auto* attributes = context.node().As<SqueezeAttributes>();
  const bool may_skip = attributes != nullptr && attributes->allow_axis_skip;
  PartialShape shape = PartialShape::OfRank(0);
  for (int axis = 0; axis < data.rank(); ++axis) {
    const Dimension& dim = data[axis];
    if (!drop[axis] || !dim.Contains(1)) {
      shape.push_back(dim);
    } else if (dim.is_dynamic() && may_skip) {
      return PartialShape::DynamicRank();
    }
  }
  return shape;
}

absl::StatusOr<PartialShape> SqueezedShape(const InferContext& context) {
  const PartialShape& data = context.shape(0);
  if (!data.rank_known()) return PartialShape::DynamicRank();
  if (!context.has_input(1)) return DropAllOnes(data);
  DOVETAIL_RETURN_IF_ERROR(RequireInteger(context, 1));
  DOVETAIL_RETURN_IF_ERROR(RequireRankBetween(context, 1, 0, 1));
  const Dimension count = LengthOf(context, 1);
  if (count == Dimension(0)) return DropAllOnes(data);
  if (const std::optional<std::vector<int64_t>> axes = context.ints(1)) {
    return DropAxes(context, *axes);
  }
  // Several axes might be one and the same.
  return count == kOne && data.rank() > 0 ? UnknownOfRank(data.rank() - 1)
                                          : PartialShape::DynamicRank();
}

}  // namespace

absl::Status InferSqueeze(InferContext& context) {
  DOVETAIL_ASSIGN_OR_RETURN(PartialShape shape, SqueezedShape(context));
  context.SetOutput(0, context.type(0), std::move(shape));
  ForwardValue(context);
  return absl::OkStatus();
}

}  // namespace dovetail
