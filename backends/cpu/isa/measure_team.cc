#include "dovetail/backends/cpu/isa/measure_team.h"

#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <chrono>

#include "dovetail/core/executor/cpus/affinity.h"
#include "dovetail/core/executor/team/work_team.h"

namespace dovetail::cpu {
namespace {

using Clock = std::chrono::steady_clock;

// A loop of two tasks of which each waits until the other has begun, so that
// the helper does have to come: but not for long, where it has no processor.
double OneNs(WorkTeam& team, std::chrono::microseconds patience) {
  const Clock::time_point begin = Clock::now();
  std::atomic<int> begun = 0;
  team.Run(2, [&](int) {
    begun.fetch_add(1, std::memory_order_relaxed);
    while (begun.load(std::memory_order_relaxed) < 2 &&
           Clock::now() - begin < patience) {
    }
  });
  return std::chrono::duration<double, std::nano>(Clock::now() - begin).count();
}

// That this thread might run on and does not.
CpuSet OtherProcessors() {
  CpuSet cpus = AffinityOf(pthread_self());
  cpus.erase(std::remove(cpus.begin(), cpus.end(), sched_getcpu()), cpus.end());
  return cpus;
}

}  // namespace

double MeasureWakeNs() {
  // Where the helper had no processor all the while: common ones are as quick.
  constexpr double kMost = 5000;
  // A thread begins to live in that time, or all processors are at work.
  constexpr std::chrono::microseconds kBirth{1000}, kPatience{200};
  WorkTeam team(2);
  // The system may begin a thread where its maker runs, and take milliseconds
  // to see that another processor is idle.
  if (!team.PinHelpers({OtherProcessors()})) return kMost;
  const WorkTeam::Session session(team);
  if (OneNs(team, kBirth) >= std::chrono::nanoseconds(kBirth).count()) {
    return kMost;
  }
  double least = kMost;
  for (int i = 0; i < 8; ++i) least = std::min(least, OneNs(team, kPatience));
  return least;
}

}  // namespace dovetail::cpu
