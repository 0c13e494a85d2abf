// The shortest time of a piece of work.
#ifndef DOVETAIL_BACKENDS_CPU_ISA_STOPWATCH_H_
#define DOVETAIL_BACKENDS_CPU_ISA_STOPWATCH_H_

#include <algorithm>
#include <chrono>
#include <limits>

namespace dovetail::cpu {

// Nanoseconds that work() takes, the best of `times`: what disturbs a
// measurement only ever makes it longer. At least 1.
template <typename Work>
double ShortestNs(int times, Work work) {
  using Clock = std::chrono::steady_clock;
  double best = std::numeric_limits<double>::max();
  for (int i = 0; i < times; ++i) {
    const Clock::time_point begin = Clock::now();
    work();
    const std::chrono::duration<double, std::nano> taken = Clock::now() - begin;
    best = std::min(best, taken.count());
  }
  return std::max(1.0, best);
}

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_ISA_STOPWATCH_H_
