// Whether a box is covered by one of many.
#ifndef DOVETAIL_CORE_REFERENCE_DETECTION_SUPPRESSION_BOX_COVER_H_
#define DOVETAIL_CORE_REFERENCE_DETECTION_SUPPRESSION_BOX_COVER_H_

#include <array>
#include <cstddef>
#include <vector>

#include "dovetail/core/reference/detection/boxes.h"

namespace dovetail {

// A set of boxes in the order of vector instructions.
class BoxCover {
 public:
  void Clear() { count_ = 0; }
  void Add(const Box& box);
  // Whether BoxOverlap of `box` with one of the set is above `limit`, which is
  // 0 or more.
  bool Covers(const Box& box, float limit) const;

 private:
  static constexpr size_t kLanes = 16;
  using Lanes = std::array<float, kLanes>;
  struct Group {
    Lanes x1, y1, x2, y2, area;
  };

  static bool Covers(const Group& group, const Box& box, float area,
                     float limit);

  size_t count_ = 0;
  std::vector<Group> groups_;
};

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_DETECTION_SUPPRESSION_BOX_COVER_H_
