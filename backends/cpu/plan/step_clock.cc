#include "dovetail/backends/cpu/plan/step_clock.h"

#include <time.h>

namespace dovetail::cpu {
namespace {

int64_t ThreadNanoseconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return int64_t{1000000000} * now.tv_sec + now.tv_nsec;
}

}  // namespace

void StepClock::Begin() {
  records_.clear();
  index_.clear();
  running_.clear();
  real_ns_.clear();
  cpu_ns_.clear();
}

void StepClock::Start(const PlannedStep& step) {
  const auto [it, is_new] = index_.emplace(&step, records_.size());
  if (is_new) {
    ProfilingRecord record;
    record.name = step.name;
    record.type = step.type;
    record.kernel = step.kernel;
    record.status = ProfilingRecord::Status::kExecuted;
    records_.push_back(std::move(record));
    real_ns_.push_back(0);
    cpu_ns_.push_back(0);
  }
  running_.push_back(
      {it->second, std::chrono::steady_clock::now(), ThreadNanoseconds()});
}

void StepClock::Stop() {
  const Running running = running_.back();
  running_.pop_back();
  const auto real = std::chrono::steady_clock::now() - running.real_start;
  const size_t i = running.record;
  real_ns_[i] +=
      std::chrono::duration_cast<std::chrono::nanoseconds>(real).count();
  cpu_ns_[i] += ThreadNanoseconds() - running.cpu_start_ns;
  records_[i].real_time_us = real_ns_[i] / 1000;
  records_[i].cpu_time_us = cpu_ns_[i] / 1000;
}

}  // namespace dovetail::cpu
