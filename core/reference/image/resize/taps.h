// Taps of resizing along one axis: which elements of the input make up an
// element of the output, and how much each counts.
#ifndef DOVETAIL_CORE_REFERENCE_IMAGE_RESIZE_TAPS_H_
#define DOVETAIL_CORE_REFERENCE_IMAGE_RESIZE_TAPS_H_

#include <cstdint>
#include <vector>

#include "dovetail/core/ops/image/resize/interpolate.h"

namespace dovetail {

// An axis of a resized tensor.
struct ResizeAxis {
  int64_t data = 1;       // extent of the input
  int64_t pad_begin = 0;  // zeros before it
  int64_t padded = 1;     // with the zeros before and after; not 0
  int64_t output = 1;
  // Factor by which positions are computed: output / padded, or the one that
  // the node was given. 1 where the axis is only padded.
  float scale = 1;
  bool antialias = false;  // with the triangle: wide where the axis shrinks
};

// Element o of the output is the sum of weights[t] * input[indices[t]] for t
// in [first[o], first[o + 1]). Padding is not in it, being zero.
struct AxisTaps {
  std::vector<int64_t> first;
  std::vector<int64_t> indices;
  std::vector<double> weights;

  int64_t output() const { return static_cast<int64_t>(first.size()) - 1; }
  // Whether each of `extent` elements stays what and where it is.
  bool IsIdentity(int64_t extent) const;
};

// The longest axis that is resized. A tap takes tens of bytes: more of them than
// that would take more memory than the tensors themselves.
inline constexpr int64_t kLongestResized = int64_t{1} << 26;

// `attributes` are those that ResizeAttributesOf gives. In mode nearest there
// is at most one tap an element, of weight 1.
AxisTaps TapsOf(const InterpolateAttributes& attributes,
                const ResizeAxis& axis);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_IMAGE_RESIZE_TAPS_H_
