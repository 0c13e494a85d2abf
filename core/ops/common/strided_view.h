// A regular selection of the elements of a packed tensor: what Transpose,
// Slice, Split, Broadcast, Reverse and their like are. Inference picks known
// values by it, kernels copy elements by it.
#ifndef DOVETAIL_CORE_OPS_COMMON_STRIDED_VIEW_H_
#define DOVETAIL_CORE_OPS_COMMON_STRIDED_VIEW_H_

#include <cstdint>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "dovetail/core/graph/value_range.h"
#include "dovetail/core/tensor/shapes/shape.h"

namespace dovetail {

// The element at coordinates c is element number offset + sum(c * strides) of
// the tensor. Strides may be zero (Broadcast) or negative (Reverse).
struct StridedView {
  Shape shape;
  absl::InlinedVector<int64_t, 6> strides;  // in elements
  int64_t offset = 0;

  int rank() const { return shape.rank(); }
  // Adds an axis, innermost so far.
  void AddAxis(int64_t extent, int64_t stride) {
    shape.push_back(extent);
    strides.push_back(stride);
  }
};

// All elements of a packed tensor in C order. Strides of a shape without
// elements mean nothing, but do not overflow.
StridedView PackedView(const Shape& shape);

// The axes of `view` in another order: axis i of the result is `order[i]`.
StridedView Permuted(const StridedView& view, absl::Span<const int> order);

// The box of `view` that begins at `start` on `axis` and has `extent` there.
StridedView Narrowed(StridedView view, int axis, int64_t start,
                     int64_t extent);

// The elements of `values` that the view selects, in C order of its shape.
// Those that lie outside of `values` are unknown.
ValueRange PickValues(const ValueRange& values, const StridedView& view);

// What is known of an element of which nothing is known.
ValueRange::Interval UnknownElement();

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_COMMON_STRIDED_VIEW_H_
