#include "dovetail/core/ops/shape_query/tile.h"

#include <algorithm>
#include <optional>

#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/common/checks.h"
#include "dovetail/core/ops/common/values.h"

namespace dovetail {
namespace {

// A number of repetitions as an extent: below 0 is 0.
Dimension Repetitions(ValueRange::Interval repeats) {
  repeats = {std::max(repeats.lower, 0.0), std::max(repeats.upper, 0.0)};
  return ExtentOf(repeats);
}

PartialShape TiledShape(const InferContext& context) {
  const PartialShape& data = context.shape(0);
  const Dimension length = LengthOf(context, 1);
  if (!data.rank_known() || length.is_dynamic()) {
    return PartialShape::DynamicRank();
  }
  const int64_t rank = std::max<int64_t>(data.rank(), length.value());
  const ValueRange* repeats = context.value(1);
  if (rank > kMaxRank || repeats == nullptr) return UnknownOfRank(rank);
  PartialShape shape = PartialShape::OfRank(static_cast<int>(rank));
  for (int i = 0; i < rank; ++i) {
    const int64_t axis = i - (rank - data.rank());
    const int64_t number = i - (rank - length.value());
    shape[i] = axis < 0 ? Dimension(1) : data[static_cast<int>(axis)];
    if (number >= 0) shape[i] = shape[i] * Repetitions((*repeats)[number]);
  }
  return shape;
}

}  // namespace

StridedView TiledView(const Shape& data, const std::vector<int64_t>& repeats) {
  const StridedView packed = PackedView(data);
  const int count = static_cast<int>(repeats.size());
  const int rank = std::max(data.rank(), count);
  StridedView view;
  for (int i = 0; i < rank; ++i) {
    const int axis = i - (rank - data.rank());
    const int number = i - (rank - count);
    view.AddAxis(number < 0 ? 1 : std::max<int64_t>(repeats[number], 0), 0);
    if (axis >= 0) view.AddAxis(data[axis], packed.strides[axis]);
  }
  return view;
}

absl::Status InferTile(InferContext& context) {
  DOVETAIL_RETURN_IF_ERROR(RequireInteger(context, 1));
  DOVETAIL_RETURN_IF_ERROR(RequireRank(context, 1, 1));
  context.SetOutput(0, context.type(0), TiledShape(context));
  const ValueRange* value = context.value(0);
  const std::optional<std::vector<int64_t>> repeats = context.ints(1);
  const absl::StatusOr<Shape> data = context.shape(0).ToShape();
  if (context.wants_values() && value != nullptr && repeats && data.ok()) {
    context.SetValue(0, PickValues(*value, TiledView(*data, *repeats)));
  }
  return absl::OkStatus();
}

}  // namespace dovetail
