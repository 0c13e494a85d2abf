// The part of an axis that start, stop and step select: as Python slices.
#ifndef DOVETAIL_CORE_OPS_MOVEMENT_SLICING_SLICE_RANGE_H_
#define DOVETAIL_CORE_OPS_MOVEMENT_SLICING_SLICE_RANGE_H_

#include <cstdint>

#include "dovetail/core/graph/value_range.h"
#include "dovetail/core/ops/common/strided_view.h"
#include "dovetail/core/tensor/shapes/partial_shape.h"

namespace dovetail {

// Elements start, start + step, … of an axis: `length` of them.
struct SliceRange {
  int64_t start = 0;
  int64_t step = 1;
  int64_t length = 0;
};

// Bounds "as far as it goes" in either direction.
inline constexpr int64_t kSliceToStart = INT64_MIN;
inline constexpr int64_t kSliceToEnd = INT64_MAX;

// What [start:stop:step] selects of an axis of `extent` elements: negative
// bounds count from the end, then all is cut to the axis. A stop beyond either
// end means to go on to the last element on that side, a start beyond either
// end to begin with the last element there. `step` is not 0.
SliceRange SelectSlice(int64_t extent, int64_t start, int64_t stop,
                       int64_t step);

// How many elements that may be when the numbers are only known to lie in
// intervals.
Dimension SlicedExtent(const Dimension& extent,
                       const ValueRange::Interval& start,
                       const ValueRange::Interval& stop, int64_t step);

// The elements of `view` whose coordinates on `axis` are in the range.
StridedView Sliced(StridedView view, int axis, const SliceRange& range);

// The number of a bound: beyond what an int64 holds it means "to the end".
int64_t SliceBound(double number);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_MOVEMENT_SLICING_SLICE_RANGE_H_
