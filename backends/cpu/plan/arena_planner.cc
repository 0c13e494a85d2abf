#include "dovetail/backends/cpu/plan/arena_planner.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "dovetail/core/base/checked_math.h"

namespace dovetail::cpu {
namespace {

constexpr int64_t kAlignment = 64;

int64_t RoundUp(int64_t bytes) {
  return CeilDivide(std::max<int64_t>(bytes, 1), kAlignment) * kAlignment;
}

bool AtTheSameTime(const ArenaRequest& a, const ArenaRequest& b) {
  return a.first <= b.last && b.first <= a.last;
}

}  // namespace

ArenaPlan PlanArena(const std::vector<ArenaRequest>& requests) {
  ArenaPlan plan;
  plan.offsets.resize(requests.size());
  std::vector<int> by_size(requests.size());
  std::iota(by_size.begin(), by_size.end(), 0);
  std::stable_sort(by_size.begin(), by_size.end(), [&](int a, int b) {
    return requests[a].bytes > requests[b].bytes;
  });

  std::vector<int> placed;  // by offset
  for (int request : by_size) {
    const int64_t bytes = RoundUp(requests[request].bytes);
    int64_t best = -1, best_gap = std::numeric_limits<int64_t>::max();
    int64_t end = 0;  // of what is in the way so far
    for (int other : placed) {
      if (!AtTheSameTime(requests[request], requests[other])) continue;
      const int64_t gap = plan.offsets[other] - end;
      if (gap >= bytes && gap < best_gap) {
        best = end;
        best_gap = gap;
      }
      end = std::max(end, plan.offsets[other] + RoundUp(requests[other].bytes));
    }
    plan.offsets[request] = best >= 0 ? best : end;
    plan.bytes = std::max(plan.bytes, plan.offsets[request] + bytes);
    const auto after = std::upper_bound(
        placed.begin(), placed.end(), plan.offsets[request],
        [&](int64_t offset, int other) { return offset < plan.offsets[other]; });
    placed.insert(after, request);
  }
  return plan;
}

}  // namespace dovetail::cpu
