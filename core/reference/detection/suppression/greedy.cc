#include "dovetail/core/reference/detection/suppression/greedy.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace dovetail {

std::vector<int64_t> BestFirst(absl::Span<const float> scores, int64_t most) {
  std::vector<int64_t> order(scores.size());
  std::iota(order.begin(), order.end(), int64_t{0});
  const auto rank = [&](int64_t i) {
    return std::isnan(scores[i]) ? -std::numeric_limits<float>::infinity()
                                 : scores[i];
  };
  const auto better = [&](int64_t a, int64_t b) {
    return rank(a) > rank(b) || (rank(a) == rank(b) && a < b);
  };
  const auto size = static_cast<int64_t>(order.size());
  const int64_t count = most < 0 ? size : std::min(most, size);
  std::partial_sort(order.begin(), order.begin() + count, order.end(), better);
  order.resize(count);
  return order;
}

std::vector<int64_t> KeepApart(absl::Span<const Box> boxes,
                               const GreedyLimits& limits) {
  std::vector<int64_t> kept;
  const auto overlap_of = limits.gaps_overlap ? &BorderedOverlap : &BoxOverlap;
  float overlap = limits.overlap;
  for (size_t i = 0; i < boxes.size(); ++i) {
    if (limits.most >= 0 && static_cast<int64_t>(kept.size()) >= limits.most) {
      break;
    }
    const bool covered =
        std::any_of(kept.begin(), kept.end(), [&](int64_t other) {
          return overlap_of(boxes[i], boxes[other], limits.border) > overlap;
        });
    if (covered) continue;
    kept.push_back(static_cast<int64_t>(i));
    if (limits.eta < 1 && overlap > 0.5f) overlap *= limits.eta;
  }
  return kept;
}

}  // namespace dovetail
