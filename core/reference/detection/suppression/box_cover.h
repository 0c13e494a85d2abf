// Test of whether a box is covered by one of many.
#ifndef DOVETAIL_CORE_REFERENCE_DETECTION_SUPPRESSION_BOX_COVER_H_
#define DOVETAIL_CORE_REFERENCE_DETECTION_SUPPRESSION_BOX_COVER_H_

#include <memory>

#include "dovetail/core/reference/detection/boxes.h"

namespace dovetail {

// A set of boxes.
class BoxCover {
 public:
  virtual ~BoxCover() = default;

  virtual void Add(const Box& box) = 0;
  // Whether BoxOverlap of `box` with one of the set is above `limit`, which is
  // 0 or more.
  virtual bool Covers(const Box& box, float limit) const = 0;
};

// Makes an empty set. Boxes are most of what suppression spends, so backends
// have a faster set than the one here, which compares pair by pair.
using MakeBoxCoverFn = std::unique_ptr<BoxCover> (*)();
std::unique_ptr<BoxCover> MakeBoxCover();

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_DETECTION_SUPPRESSION_BOX_COVER_H_
