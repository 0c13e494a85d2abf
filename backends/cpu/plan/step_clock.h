// What each step of an inference takes.
#ifndef DOVETAIL_BACKENDS_CPU_PLAN_STEP_CLOCK_H_
#define DOVETAIL_BACKENDS_CPU_PLAN_STEP_CLOCK_H_

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "dovetail/backends/cpu/plan/plan.h"
#include "dovetail/core/plugin/plugin.h"

namespace dovetail::cpu {

// Gathers one record a step and inference; steps that run several times, such
// as those of a loop's body, add up under their layer's name. Processor time is
// that of the thread that runs the inference. One thread at a time.
class StepClock {
 public:
  // An inference begins: forgets the last one.
  void Begin();
  void Start(const PlannedStep& step);
  void Stop();

  std::vector<ProfilingRecord> records() const { return records_; }

 private:
  std::vector<ProfilingRecord> records_;
  std::map<const PlannedStep*, size_t> index_;
  // Of the steps that run now, the innermost last.
  struct Running {
    size_t record;
    std::chrono::steady_clock::time_point real_start;
    int64_t cpu_start_ns;
  };
  std::vector<Running> running_;
  std::vector<int64_t> real_ns_, cpu_ns_;
};

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_PLAN_STEP_CLOCK_H_
