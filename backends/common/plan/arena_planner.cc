#include "dovetail/backends/common/plan/arena_planner.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "dovetail/core/base/checked_math.h"

namespace dovetail {
namespace {

bool AtTheSameTime(const ArenaRequest& a, const ArenaRequest& b) {
  return a.first <= b.last && b.first <= a.last;
}

class Planner {
 public:
  Planner(const std::vector<ArenaRequest>& requests,
          const ArenaOptions& options)
      : requests_(requests), options_(options) {
    plan_.offsets.assign(requests.size(), ArenaPlan::kSpilled);
  }

  ArenaPlan Run() {
    std::vector<int> by_size(requests_.size());
    std::iota(by_size.begin(), by_size.end(), 0);
    std::stable_sort(by_size.begin(), by_size.end(), [&](int a, int b) {
      return requests_[a].bytes > requests_[b].bytes;
    });
    for (int request : by_size) {
      const int64_t offset = BestOffset(request);
      if (offset <= options_.capacity - Bytes(request)) Place(request, offset);
    }
    return std::move(plan_);
  }

 private:
  int64_t Bytes(int request) const {
    const int64_t bytes = std::max<int64_t>(requests_[request].bytes, 1);
    return CeilDivide(bytes, options_.alignment) * options_.alignment;
  }

  // Of the smallest gap that is large enough, else behind everything that
  // lives at the same time.
  int64_t BestOffset(int request) const {
    int64_t best = -1, best_gap = std::numeric_limits<int64_t>::max();
    int64_t end = 0;  // of what is in the way so far
    for (int other : placed_) {
      if (!AtTheSameTime(requests_[request], requests_[other])) continue;
      const int64_t gap = plan_.offsets[other] - end;
      if (gap >= Bytes(request) && gap < best_gap) {
        best = end;
        best_gap = gap;
      }
      end = std::max(end, plan_.offsets[other] + Bytes(other));
    }
    return best >= 0 ? best : end;
  }

  void Place(int request, int64_t offset) {
    plan_.offsets[request] = offset;
    plan_.bytes = std::max(plan_.bytes, offset + Bytes(request));
    const auto after = std::upper_bound(
        placed_.begin(), placed_.end(), offset,
        [&](int64_t at, int other) { return at < plan_.offsets[other]; });
    placed_.insert(after, request);
  }

  const std::vector<ArenaRequest>& requests_;
  const ArenaOptions& options_;
  ArenaPlan plan_;
  std::vector<int> placed_;  // by offset
};

}  // namespace

ArenaPlan PlanArena(const std::vector<ArenaRequest>& requests,
                    const ArenaOptions& options) {
  return Planner(requests, options).Run();
}

}  // namespace dovetail
