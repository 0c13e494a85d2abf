#include "dovetail/core/ops/movement/slicing/slice_range.h"

#include <algorithm>
#include <vector>

namespace dovetail {
namespace {

// Stands for an extent without bound; half of it does, too.
constexpr int64_t kHuge = int64_t{1} << 60;

// A bound as a position in [low, high].
int64_t Position(int64_t bound, int64_t extent, int64_t low, int64_t high) {
  if (bound < 0) bound = bound < -extent ? low : bound + extent;
  return std::clamp(bound, low, high);
}

// The length is monotonous between these extents: for a fixed start and stop
// it bends only where one of them meets an end of the axis, or, going
// backwards, the last element.
std::vector<int64_t> ExtentsToTry(const Dimension& extent,
                                  const std::vector<int64_t>& bounds) {
  const int64_t most = std::min(extent.max(), kHuge);
  std::vector<int64_t> extents = {extent.min(), most};
  for (int64_t bound : bounds) {
    const int64_t bend = std::min(bound < 0 ? -std::max(bound, -kHuge) : bound,
                                  kHuge);
    for (int64_t near = bend - 1; near <= bend + 1; ++near) {
      if (near > extent.min() && near < most) extents.push_back(near);
    }
  }
  return extents;
}

// The ends of an interval of bounds, and where it changes its sign.
std::vector<int64_t> BoundsToTry(const ValueRange::Interval& bound) {
  const int64_t lower = SliceBound(bound.lower);
  const int64_t upper = SliceBound(bound.upper);
  std::vector<int64_t> bounds = {lower};
  if (upper != lower) bounds.push_back(upper);
  if (lower < 0 && upper >= 0) bounds.insert(bounds.end(), {-1, 0});
  return bounds;
}

}  // namespace

int64_t SliceBound(double number) {
  if (!(number > -9.2e18)) return kSliceToStart;
  if (number >= 9.2e18) return kSliceToEnd;
  return static_cast<int64_t>(number);
}

SliceRange SelectSlice(int64_t extent, int64_t start, int64_t stop,
                       int64_t step) {
  SliceRange range;
  range.step = step;
  if (extent == 0) return range;
  // Going backwards, positions end one before the first element.
  const int64_t low = step > 0 ? 0 : -1;
  const int64_t high = step > 0 ? extent : extent - 1;
  // A start before the first element is that element in either direction:
  // ONNX's rule and OpenVINO's, while Python selects nothing backwards.
  range.start = Position(start, extent, 0, high);
  const int64_t end = Position(stop, extent, low, high);
  const int64_t distance = step > 0 ? end - range.start : range.start - end;
  if (distance <= 0) return range;
  // Unsigned, because INT64_MIN has no positive counterpart.
  const uint64_t stride =
      step > 0 ? static_cast<uint64_t>(step) : -static_cast<uint64_t>(step);
  range.length =
      static_cast<int64_t>((static_cast<uint64_t>(distance) - 1) / stride + 1);
  return range;
}

Dimension SlicedExtent(const Dimension& extent,
                       const ValueRange::Interval& start,
                       const ValueRange::Interval& stop, int64_t step) {
  int64_t least = Dimension::kInfinity, most = 0;
  for (int64_t from : BoundsToTry(start)) {
    for (int64_t to : BoundsToTry(stop)) {
      for (int64_t whole : ExtentsToTry(extent, {from, to})) {
        const int64_t length = SelectSlice(whole, from, to, step).length;
        least = std::min(least, length);
        most = std::max(most, length);
        // What grows with the extent has no bound where that has none.
        if (whole == kHuge &&
            SelectSlice(kHuge / 2, from, to, step).length < length) {
          most = Dimension::kInfinity;
        }
      }
    }
  }
  return Dimension(least, most);
}

StridedView Sliced(StridedView view, int axis, const SliceRange& range) {
  view.shape[axis] = range.length;
  if (range.length == 0) return view;
  view.offset += range.start * view.strides[axis];
  // With one element the step does not matter, and might overflow.
  if (range.length > 1) view.strides[axis] *= range.step;
  return view;
}

}  // namespace dovetail
