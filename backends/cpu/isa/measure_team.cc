#include "dovetail/backends/cpu/isa/measure_team.h"

#include <algorithm>
#include <atomic>
#include <chrono>

#include "dovetail/core/executor/team/work_team.h"

namespace dovetail::cpu {
namespace {

// A loop of two tasks of which each waits until the other has begun, so that
// the helper does have to come: but not for long, where it has no processor.
double OneNs(WorkTeam& team) {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::microseconds kPatience{200};
  const Clock::time_point begin = Clock::now();
  std::atomic<int> begun = 0;
  team.Run(2, [&](int) {
    begun.fetch_add(1, std::memory_order_relaxed);
    while (begun.load(std::memory_order_relaxed) < 2 &&
           Clock::now() - begin < kPatience) {
    }
  });
  return std::chrono::duration<double, std::nano>(Clock::now() - begin).count();
}

}  // namespace

double MeasureWakeNs() {
  // Where the helper had no processor all the while: common ones are as quick.
  constexpr double kMost = 5000;
  WorkTeam team(2);
  const WorkTeam::Session session(team);
  double least = kMost;
  // The first ones are of a thread that only begins to live.
  for (int i = 0; i < 9; ++i) least = std::min(least, OneNs(team));
  return least;
}

}  // namespace dovetail::cpu
