// Boxes that are turned about their centre.
#ifndef DOVETAIL_CORE_REFERENCE_DETECTION_SUPPRESSION_ROTATED_BOX_H_
#define DOVETAIL_CORE_REFERENCE_DETECTION_SUPPRESSION_ROTATED_BOX_H_

namespace dovetail {

struct RotatedBox {
  float x = 0, y = 0;  // of the centre; y downwards
  float width = 0, height = 0;
  float angle = 0;  // radians, clockwise
};

// Intersection over union: 0 where boxes are apart, have no area, or are not
// numbers.
float RotatedOverlap(const RotatedBox& a, const RotatedBox& b);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_DETECTION_SUPPRESSION_ROTATED_BOX_H_
