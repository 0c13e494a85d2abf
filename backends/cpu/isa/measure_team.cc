#include "dovetail/backends/cpu/isa/measure_team.h"

#include <algorithm>
#include <array>
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
  WorkTeam team(2);
  const WorkTeam::Session session(team);
  std::array<double, 9> times;
  for (double& ns : times) ns = OneNs(team);
  // The first ones are of threads that only begin to live.
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

}  // namespace dovetail::cpu
