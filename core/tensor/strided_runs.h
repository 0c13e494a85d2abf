// Walks over strided elements in C order, by runs that lie side by side.
#ifndef DOVETAIL_CORE_TENSOR_STRIDED_RUNS_H_
#define DOVETAIL_CORE_TENSOR_STRIDED_RUNS_H_

#include <algorithm>
#include <cstdint>

#include "absl/types/span.h"
#include "dovetail/core/tensor/shapes/shape.h"

namespace dovetail {

// Distances in bytes between neighbours along each axis, as Tensor has them.
using StrideSpan = absl::Span<const int64_t>;

// The byte offset of element number `index` in C order.
inline int64_t StridedOffset(const Shape& shape, StrideSpan strides,
                             int64_t index) {
  int64_t offset = 0;
  for (int axis = shape.rank() - 1; axis >= 0; --axis) {
    offset += index % shape[axis] * strides[axis];
    index /= shape[axis];
  }
  return offset;
}

// The number of innermost axes whose elements lie packed.
inline int PackedAxes(const Shape& shape, StrideSpan strides,
                      int64_t element_bytes) {
  int64_t expected = element_bytes;
  int axes = 0;
  for (int axis = shape.rank() - 1; axis >= 0; --axis, ++axes) {
    if (shape[axis] != 1 && strides[axis] != expected) break;
    expected *= shape[axis];
  }
  return axes;
}

// Calls `visit(offset_a, offset_b, bytes)`, a function that answers whether to
// go on, for runs that are packed in both `a` and `b`, two strided layouts of
// the same shape with at least one element. False when `visit` stopped it.
template <typename Visit>
bool ForEachRun(const Shape& shape, StrideSpan a, StrideSpan b,
                int64_t element_bytes, Visit visit) {
  const int packed = std::min(PackedAxes(shape, a, element_bytes),
                              PackedAxes(shape, b, element_bytes));
  const int outer = shape.rank() - packed;
  const int64_t run = shape.Count(outer, shape.rank()) * element_bytes;
  Shape index = Shape::Filled(outer, 0);
  int64_t offset_a = 0, offset_b = 0;
  while (true) {
    if (!visit(offset_a, offset_b, run)) return false;
    int axis = outer - 1;
    for (; axis >= 0; --axis) {
      offset_a += a[axis];
      offset_b += b[axis];
      if (++index[axis] < shape[axis]) break;
      offset_a -= shape[axis] * a[axis];
      offset_b -= shape[axis] * b[axis];
      index[axis] = 0;
    }
    if (axis < 0) return true;
  }
}

}  // namespace dovetail

#endif  // DOVETAIL_CORE_TENSOR_STRIDED_RUNS_H_
