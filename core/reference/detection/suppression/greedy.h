// Greedy suppression: of boxes that overlap, the best stays.
#ifndef DOVETAIL_CORE_REFERENCE_DETECTION_SUPPRESSION_GREEDY_H_
#define DOVETAIL_CORE_REFERENCE_DETECTION_SUPPRESSION_GREEDY_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "dovetail/core/reference/detection/boxes.h"

namespace dovetail {

// Indices of the best scores, the best first, of equal ones the first first; at
// most `most` of them, all when it is negative. NaN is the worst.
std::vector<int64_t> BestFirst(absl::Span<const float> scores, int64_t most);

struct GreedyLimits {
  float overlap = 0;  // beyond which a box is dropped
  float border = 0;   // see BoxArea
  bool gaps_overlap = false;  // see BorderedOverlap
  int64_t most = -1;  // boxes to keep; negative: all
  // What the limit of overlap, if above 0.5, is multiplied by after each box
  // that is kept.
  float eta = 1;
};

// Of boxes that come best first, the indices of those that stay.
std::vector<int64_t> KeepApart(absl::Span<const Box> boxes,
                               const GreedyLimits& limits);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_DETECTION_SUPPRESSION_GREEDY_H_
