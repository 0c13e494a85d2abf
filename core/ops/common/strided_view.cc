#include "dovetail/core/ops/common/strided_view.h"

#include <limits>
#include <utility>
#include <vector>

namespace dovetail {

StridedView PackedView(const Shape& shape) {
  StridedView view;
  view.shape = shape;
  view.strides.resize(shape.rank());
  uint64_t stride = 1;  // unsigned: wraps where an extent is 0
  for (int axis = shape.rank() - 1; axis >= 0; --axis) {
    view.strides[axis] = static_cast<int64_t>(stride);
    stride *= static_cast<uint64_t>(shape[axis]);
  }
  return view;
}

StridedView Permuted(const StridedView& view, absl::Span<const int> order) {
  StridedView result;
  result.offset = view.offset;
  for (int axis : order) {
    result.AddAxis(view.shape[axis], view.strides[axis]);
  }
  return result;
}

StridedView Narrowed(StridedView view, int axis, int64_t start,
                     int64_t extent) {
  view.shape[axis] = extent;
  // Nothing is selected then, and the offset could be anywhere.
  if (extent != 0) view.offset += start * view.strides[axis];
  return view;
}

ValueRange PickValues(const ValueRange& values, const StridedView& view) {
  std::vector<ValueRange::Interval> picked;
  const absl::StatusOr<int64_t> count = view.shape.ElementCount();
  if (!count.ok() || *count == 0 || *count > ValueRange::kMaxElements) {
    return ValueRange();
  }
  std::vector<int64_t> at(view.rank(), 0);
  int64_t index = view.offset;
  while (true) {
    const bool inside = index >= 0 && index < values.size();
    picked.push_back(inside ? values[index] : UnknownElement());
    int axis = view.rank() - 1;
    for (; axis >= 0; --axis) {
      index += view.strides[axis];
      if (++at[axis] < view.shape[axis]) break;
      index -= at[axis] * view.strides[axis];
      at[axis] = 0;
    }
    if (axis < 0) return ValueRange(std::move(picked));
  }
}

ValueRange::Interval UnknownElement() {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  return {-kInfinity, kInfinity};
}

}  // namespace dovetail
