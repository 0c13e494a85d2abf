#include "dovetail/backends/interpreter/layer_clock.h"

#include <thread>
#include <utility>

#include "dovetail/core/executor/thread_clock.h"

namespace dovetail {
void LayerClock::Begin(size_t steps) {
  times_ = std::make_shared<AllTimes>(steps);
}

void LayerClock::Start(size_t step) {
  step_ = step;
  (*times_)[step].ran.store(true, std::memory_order_relaxed);
  real_start_ns_ = SteadyNanoseconds();
  cpu_start_ns_ = ThreadCpuNanoseconds();
}

void LayerClock::Stop() {
  Times& times = (*times_)[step_];
  times.cpu_ns.fetch_add(ThreadCpuNanoseconds() - cpu_start_ns_,
                         std::memory_order_relaxed);
  times.start_ns.store(real_start_ns_, std::memory_order_relaxed);
  times.real_ns.store(SteadyNanoseconds() - real_start_ns_,
                      std::memory_order_relaxed);
}

LayerClock::Reading LayerClock::Read(size_t step) const {
  Reading reading;
  if (step >= times_->size()) return reading;
  const Times& times = (*times_)[step];
  reading.ran = times.ran.load(std::memory_order_relaxed);
  reading.start_ns = times.start_ns.load(std::memory_order_relaxed);
  reading.duration_ns = times.real_ns.load(std::memory_order_relaxed);
  reading.cpu_ns = times.cpu_ns.load(std::memory_order_relaxed);
  return reading;
}

void LayerClock::Schedule(Task task) {
  executor_->Schedule([times = times_, step = step_, task = std::move(task)] {
    const int64_t start = ThreadCpuNanoseconds();
    task();
    (*times)[step].cpu_ns.fetch_add(ThreadCpuNanoseconds() - start,
                                    std::memory_order_relaxed);
  });
}

// The calling thread's own time is counted by Start and Stop.
void LayerClock::RunParts(int count, absl::FunctionRef<void(int i)> body) {
  const std::thread::id caller = std::this_thread::get_id();
  std::atomic<int64_t>& cpu_ns = (*times_)[step_].cpu_ns;
  executor_->RunParts(count, [&](int i) {
    if (std::this_thread::get_id() == caller) return body(i);
    const int64_t start = ThreadCpuNanoseconds();
    body(i);
    cpu_ns.fetch_add(ThreadCpuNanoseconds() - start, std::memory_order_relaxed);
  });
}

}  // namespace dovetail
