// Attributes of windows, as several rules ask for them.
#ifndef DOVETAIL_TRANSFORMATIONS_FUSION_LINEAR_WINDOWS_H_
#define DOVETAIL_TRANSFORMATIONS_FUSION_LINEAR_WINDOWS_H_

#include <algorithm>
#include <cstdint>
#include <vector>

#include "dovetail/core/ops/common/window.h"

namespace dovetail {

inline bool AreAll(const std::vector<int64_t>& numbers, int64_t wanted) {
  return std::all_of(numbers.begin(), numbers.end(),
                     [=](int64_t number) { return number == wanted; });
}

// Whether the lists add no padding; an automatic one may still.
inline bool ListsNoPadding(const SlidingWindow& window) {
  return window.auto_pad != AutoPad::kExplicit ||
         (AreAll(window.pads_begin, 0) && AreAll(window.pads_end, 0));
}

}  // namespace dovetail

#endif  // DOVETAIL_TRANSFORMATIONS_FUSION_LINEAR_WINDOWS_H_
