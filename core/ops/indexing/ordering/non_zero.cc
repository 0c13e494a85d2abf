#include "dovetail/core/ops/indexing/ordering/non_zero.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace dovetail {
namespace {

// How many elements of the input are not zero.
Dimension CountOf(const InferContext& context) {
  const ValueRange* value = context.value(0);
  if (value == nullptr) {
    return Dimension(0, context.shape(0).ElementCount().max());
  }
  int64_t least = 0, most = 0;
  for (const ValueRange::Interval& element : value->elements()) {
    const bool may_be_zero = element.lower <= 0 && element.upper >= 0;
    least += may_be_zero ? 0 : 1;
    most += may_be_zero && element.is_exact() ? 0 : 1;
  }
  return Dimension(least, most);
}

// Notes the positions of the elements when each is known.
void PropagatePositions(InferContext& context) {
  const ValueRange* value = context.wants_values() ? context.value(0) : nullptr;
  const absl::StatusOr<Shape> shape = context.shape(0).ToShape();
  if (value == nullptr || !value->is_exact() || !shape.ok()) return;
  // One list of coordinates an axis; a scalar counts as a vector.
  std::vector<std::vector<double>> positions(std::max(shape->rank(), 1));
  for (int64_t i = 0; i < value->size(); ++i) {
    if ((*value)[i].lower == 0) continue;
    int64_t rest = i;
    if (shape->rank() == 0) positions[0].push_back(0);
    for (int axis = shape->rank() - 1; axis >= 0; --axis) {
      positions[axis].push_back(static_cast<double>(rest % (*shape)[axis]));
      rest /= (*shape)[axis];
    }
  }
  std::vector<double> all;
  for (const std::vector<double>& axis : positions) {
    all.insert(all.end(), axis.begin(), axis.end());
  }
  context.SetValue(0, ValueRange::Exact(all));
}

}  // namespace

absl::Status InferNonZero(InferContext& context) {
  const ElementType type = context.attributes<NonZeroAttributes>().output_type;
  if (type != ElementType::kI32 && type != ElementType::kI64) {
    return context.Error("output_type is ", ElementTypeName(type),
                         ", want i32 or i64");
  }
  const PartialShape& data = context.shape(0);
  PartialShape shape = PartialShape::OfRank(2);
  if (data.rank_known()) {
    shape[0] = Dimension(std::max(data.rank(), 1));
    shape[1] = CountOf(context);
  }
  context.SetOutput(0, type, shape);
  PropagatePositions(context);
  return absl::OkStatus();
}

}  // namespace dovetail
