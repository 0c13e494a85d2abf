#include "dovetail/core/ops/indexing/scatter/scattered_values.h"

#include <utility>
#include <vector>

namespace dovetail {

std::optional<ScatterShapes> ShapesOfKnownScatter(const InferContext& context) {
  const bool known = context.wants_values() && context.value(0) != nullptr &&
                     context.value(2) != nullptr &&
                     context.value(1) != nullptr &&
                     context.value(1)->is_exact();
  if (!known) return std::nullopt;
  absl::StatusOr<Shape> data = context.shape(0).ToShape();
  absl::StatusOr<Shape> indices = context.shape(1).ToShape();
  absl::StatusOr<Shape> updates = context.shape(2).ToShape();
  if (!data.ok() || !indices.ok() || !updates.ok()) return std::nullopt;
  return ScatterShapes{*std::move(data), *std::move(indices),
                       *std::move(updates)};
}

void PropagateScattered(
    InferContext& context, const ScatterShapes& shapes,
    const std::function<std::optional<int64_t>(int64_t)>& place) {
  std::vector<ValueRange::Interval> elements = context.value(0)->elements();
  const std::vector<ValueRange::Interval>& updates =
      context.value(2)->elements();
  for (int64_t i = 0; i < shapes.updates.Count(); ++i) {
    const std::optional<int64_t> at = place(i);
    if (!at.has_value()) return;
    elements[*at] = updates[i];
  }
  context.SetValue(0, ValueRange(std::move(elements)));
}

std::optional<int64_t> PlaceOnAxis(int64_t index, int64_t extent) {
  if (index < -extent || index >= extent) return std::nullopt;
  return index < 0 ? index + extent : index;
}

}  // namespace dovetail
