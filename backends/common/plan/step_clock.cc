#include "dovetail/backends/common/plan/step_clock.h"

#include <utility>

#include "dovetail/core/executor/thread_clock.h"

namespace dovetail {

// Of this thread and of those that help it.
int64_t StepClock::CpuNanoseconds() const {
  return ThreadCpuNanoseconds() + helpers_ns_.load(std::memory_order_relaxed);
}

void StepClock::Begin() {
  order_.clear();
  running_.clear();
  if (entries_.size() > kMaxEntries) {  // of plans that are gone by now
    entries_.clear();
    index_.clear();
  }
  for (Entry& entry : entries_) entry.ran = false;
  last_ns_ = SteadyNanoseconds();
}

size_t StepClock::BeginEntry(const StepLabel& step) {
  const auto [it, is_new] = index_.emplace(&step, entries_.size());
  if (is_new) entries_.emplace_back();
  Entry& entry = entries_[it->second];
  if (!entry.ran) {
    entry.ran = true;
    // Of another plan, perhaps, than the step that had this address before.
    entry.record.name = step.name;
    entry.record.type = step.type;
    entry.record.kernel = step.kernel;
    entry.record.status = ProfilingRecord::Status::kExecuted;
    entry.record.start_ns = last_ns_;
    entry.record.duration_ns = entry.record.cpu_ns = 0;
    order_.push_back(it->second);
  }
  return it->second;
}

// A step begins where the last one ended: what lies between them, such as
// looking up its tensors, is its own. Of small networks that is a fourth. In a
// step with a body it is the step's.
void StepClock::Start(const StepLabel& step) {
  if (!running_.empty()) last_ns_ = SteadyNanoseconds();
  running_.push_back({BeginEntry(step), last_ns_, CpuNanoseconds()});
}

void StepClock::Skip() { last_ns_ = SteadyNanoseconds(); }

void StepClock::Stop() {
  const Running running = running_.back();
  running_.pop_back();
  last_ns_ = SteadyNanoseconds();
  const int64_t ns = last_ns_ - running.start_ns;
  const int64_t cpu_ns = CpuNanoseconds() - running.cpu_start_ns;
  ProfilingRecord& record = entries_[running.entry].record;
  record.duration_ns += ns - running.inner_ns;
  record.cpu_ns += cpu_ns - running.inner_cpu_ns;
  if (running_.empty()) return;
  running_.back().inner_ns += ns;
  running_.back().inner_cpu_ns += cpu_ns;
}

void StepClock::Add(const StepLabel& step, int64_t start_ns,
                    int64_t duration_ns) {
  ProfilingRecord& record = entries_[BeginEntry(step)].record;
  if (record.duration_ns == 0) record.start_ns = start_ns;
  record.duration_ns += duration_ns;
}

std::vector<ProfilingRecord> StepClock::records() const {
  std::vector<ProfilingRecord> records;
  for (const size_t i : order_) records.push_back(entries_[i].record);
  return records;
}

}  // namespace dovetail
