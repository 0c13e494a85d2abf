// Boxes and how much of them overlaps, for all kernels of this family.
#ifndef DOVETAIL_CORE_REFERENCE_DETECTION_BOXES_H_
#define DOVETAIL_CORE_REFERENCE_DETECTION_BOXES_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "dovetail/core/tensor/tensor.h"

namespace dovetail {

// Corners; x to the right, y downwards.
struct Box {
  float x1 = 0, y1 = 0, x2 = 0, y2 = 0;
};

// Width times height; 0 for a box whose corners are the wrong way round or not
// numbers. `border` is 1 where corners are pixels that the box includes, so
// that a box from 0 to 0 is one pixel.
float BoxArea(const Box& box, float border = 0);
// Intersection over union: 0 where boxes are apart or have no area.
float BoxOverlap(const Box& a, const Box& b, float border = 0);
// The same, but boxes that are less than the border apart have a part in
// common, too.
float BorderedOverlap(const Box& a, const Box& b, float border);

// The box's corners moved into [0, x] and [0, y].
Box ClampBox(const Box& box, float x, float y);

// Elements as f32, whatever the tensor's type.
absl::StatusOr<std::vector<float>> ToFloats(const Tensor& tensor);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_DETECTION_BOXES_H_
