// From an anchor or a region to the box that a network makes of it.
#ifndef DOVETAIL_CORE_REFERENCE_DETECTION_PROPOSALS_MOVE_BOX_H_
#define DOVETAIL_CORE_REFERENCE_DETECTION_PROPOSALS_MOVE_BOX_H_

#include <cmath>

#include "dovetail/core/reference/detection/boxes.h"

namespace dovetail {

// How far the centre moves, in sizes of the box, and the logarithms of the
// ratios of sizes. After Girshick et al., "Rich feature hierarchies" (2014),
// appendix C.
struct BoxMove {
  float x, y, width, height;
};

// `border`: see BoxArea. The new box ends where its last corner would be if it
// did not include it.
inline Box MoveBox(const Box& box, const BoxMove& move, float border) {
  const float width = box.x2 - box.x1 + border;
  const float height = box.y2 - box.y1 + border;
  const float x = move.x * width + box.x1 + 0.5f * width;
  const float y = move.y * height + box.y1 + 0.5f * height;
  const float half_width = 0.5f * std::exp(move.width) * width;
  const float half_height = 0.5f * std::exp(move.height) * height;
  return {x - half_width, y - half_height, x + half_width, y + half_height};
}

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_DETECTION_PROPOSALS_MOVE_BOX_H_
