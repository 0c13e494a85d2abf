// Time that each step of an inference takes.
#ifndef DOVETAIL_BACKENDS_COMMON_PLAN_STEP_CLOCK_H_
#define DOVETAIL_BACKENDS_COMMON_PLAN_STEP_CLOCK_H_

#include <atomic>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "dovetail/backends/common/plan/step_label.h"
#include "dovetail/core/plugin/profiling.h"

namespace dovetail {

// Gathers one record a step and inference; steps that run several times, such
// as those of a loop's body, add up under their layer's name, and are not part
// of the loop's own time: so records add up to the inference. One thread at a
// time.
class StepClock {
 public:
  // An inference begins: forgets the last one.
  void Begin();
  // `step` lives until the inference ends.
  void Start(const StepLabel& step);
  void Stop();
  // What has passed since the last step, such as a wait for a device whose
  // steps time themselves, is no step's.
  void Skip();
  // A step that a device timed itself, without the host.
  void Add(const StepLabel& step, int64_t start_ns, int64_t duration_ns);

  // Where the processor time of helpers is to be added while the inference
  // runs; see WorkTeam::CountHelpers.
  std::atomic<int64_t>& helpers_ns() { return helpers_ns_; }

  // Of the steps that have run, in the order in which they first did.
  std::vector<ProfilingRecord> records() const;

 private:
  static constexpr size_t kMaxEntries = 1 << 16;

  struct Entry {
    ProfilingRecord record;
    bool ran = false;  // in this inference
  };
  // Of the steps that run now, the innermost last.
  struct Running {
    size_t entry;
    int64_t start_ns;
    int64_t cpu_start_ns;
    int64_t inner_ns = 0, inner_cpu_ns = 0;  // of steps of its body
  };
  size_t BeginEntry(const StepLabel& step);
  int64_t CpuNanoseconds() const;

  // Kept from inference to inference, so that a steady one allocates nothing.
  std::vector<Entry> entries_;
  std::map<const StepLabel*, size_t> index_;
  std::vector<size_t> order_;
  std::vector<Running> running_;
  std::atomic<int64_t> helpers_ns_ = 0;
  int64_t last_ns_ = 0;  // when the inference began or the last step ended
};

// Does `work`, as the step of that label where there is a clock.
template <typename Work>
auto TimedStep(const StepLabel& label, StepClock* clock, Work work) {
  if (clock != nullptr) clock->Start(label);
  auto result = work();
  if (clock != nullptr) clock->Stop();
  return result;
}

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_COMMON_PLAN_STEP_CLOCK_H_
