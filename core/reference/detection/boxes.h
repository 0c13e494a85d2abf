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

// Width times height; 0 for a box without either.
float BoxArea(const Box& box);
// Intersection over union: 0 where boxes are apart or have no area.
float BoxOverlap(const Box& a, const Box& b);

// Elements as f32, whatever the tensor's type.
absl::StatusOr<std::vector<float>> ToFloats(const Tensor& tensor);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_DETECTION_BOXES_H_
