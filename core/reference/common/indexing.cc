#include "dovetail/core/reference/common/indexing.h"

namespace dovetail {

ElementStrides RowMajorStrides(const Shape& shape) {
  ElementStrides strides(shape.rank());
  int64_t stride = 1;
  for (int axis = shape.rank() - 1; axis >= 0; --axis) {
    strides[axis] = stride;
    stride *= shape[axis];
  }
  return strides;
}

ElementStrides BroadcastStrides(const Shape& from, const Shape& to,
                                int first_axis) {
  const int shift =
      first_axis >= 0 ? first_axis : to.rank() - from.rank();
  const ElementStrides packed = RowMajorStrides(from);
  ElementStrides strides(to.rank(), 0);
  for (int axis = 0; axis < from.rank(); ++axis) {
    if (from[axis] != 1) strides[axis + shift] = packed[axis];
  }
  return strides;
}

}  // namespace dovetail
