#include "dovetail/backends/cpu/plan/step_clock.h"

#include <time.h>

#include <utility>

namespace dovetail::cpu {
namespace {

int64_t ThreadNanoseconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return int64_t{1000000000} * now.tv_sec + now.tv_nsec;
}

}  // namespace

void StepClock::Begin() {
  order_.clear();
  running_.clear();
  for (Entry& entry : entries_) entry.ran = false;
  last_ns_ = SteadyNanoseconds();
}

size_t StepClock::BeginEntry(const PlannedStep& step) {
  const auto [it, is_new] = index_.emplace(&step, entries_.size());
  if (is_new) {
    Entry entry;
    entry.record.name = step.name;
    entry.record.type = step.type;
    entry.record.kernel = step.kernel;
    entry.record.status = ProfilingRecord::Status::kExecuted;
    entries_.push_back(std::move(entry));
  }
  Entry& entry = entries_[it->second];
  if (!entry.ran) {
    entry.ran = true;
    entry.record.start_ns = last_ns_;
    entry.record.duration_ns = entry.record.cpu_ns = 0;
    order_.push_back(it->second);
  }
  return it->second;
}

// A step begins where the last one ended: what lies between them, such as
// looking up its tensors, is its own. Of small networks that is a fourth.
void StepClock::Start(const PlannedStep& step) {
  running_.push_back({BeginEntry(step), last_ns_, ThreadNanoseconds()});
}

void StepClock::Stop() {
  const Running running = running_.back();
  running_.pop_back();
  last_ns_ = SteadyNanoseconds();
  ProfilingRecord& record = entries_[running.entry].record;
  record.duration_ns += last_ns_ - running.start_ns;
  record.cpu_ns += ThreadNanoseconds() - running.cpu_start_ns;
}

std::vector<ProfilingRecord> StepClock::records() const {
  std::vector<ProfilingRecord> records;
  for (const size_t i : order_) records.push_back(entries_[i].record);
  return records;
}

}  // namespace dovetail::cpu
