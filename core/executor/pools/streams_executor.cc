#include "dovetail/core/executor/pools/streams_executor.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "dovetail/core/executor/cpus/cpu_info.h"
#include "dovetail/core/executor/team/spin_budget.h"
#include "dovetail/core/executor/turns/cpu_turns.h"

namespace dovetail {

StreamsExecutor::Stream::Stream(int threads, bool may_spin)
    : team_(threads, may_spin),
      loops_(this),
      pool_(std::make_unique<ThreadPool>(1, "dovetail-stream")),
      executor_(*pool_),
      tasks_(&executor_) {}

StreamsExecutor::Stream::Stream(Executor* executor, int threads)
    : team_(executor, threads),
      loops_(this),
      executor_(*executor),
      tasks_(executor) {}

void StreamsExecutor::Stream::Loops::Schedule(Task task) {
  stream_.executor_.Schedule(std::move(task));
}

int StreamsExecutor::Stream::Loops::concurrency() const {
  return stream_.team_.threads();
}

void StreamsExecutor::Stream::Loops::RunParts(
    int count, absl::FunctionRef<void(int i)> body) {
  stream_.team_.Run(count, body);
}

bool StreamsExecutor::Stream::Pin(absl::Span<const CpuSet> cpus) {
  if (cpus.empty()) return false;
  const bool pinned = pool_->Pin(cpus.front());
  return team_.PinHelpers(cpus.subspan(1)) && pinned;
}

StreamsExecutor::StreamsExecutor(int streams, int threads_per_stream,
                                 const std::vector<CpuSet>& placement) {
  streams = std::max(1, streams);
  SpinBudget::OfProcess().Refresh();
  const int cpus = UsableCpus();
  CpuTurns::OfProcess().AddCpus(cpus);
  // Threads that wait by spinning must not take processors from others.
  const bool may_spin =
      int64_t{streams} * std::max(1, threads_per_stream) <= cpus;
  for (int i = 0; i < streams; ++i) {
    streams_.push_back(std::make_unique<Stream>(threads_per_stream, may_spin));
  }
  pinned_ = !placement.empty();
  const absl::Span<const CpuSet> all = placement;
  for (int i = 0; i < streams && pinned_; ++i) {
    pinned_ = streams_[i]->Pin(
        all.subspan(std::min<size_t>(i * threads_per_stream, all.size()),
                    threads_per_stream));
  }
}

StreamsExecutor::StreamsExecutor(std::shared_ptr<Executor> executor,
                                 int streams, int threads_per_stream)
    : executor_(std::move(executor)) {
  for (int i = 0; i < std::max(1, streams); ++i) {
    streams_.push_back(
        std::make_unique<Stream>(executor_.get(), threads_per_stream));
  }
}

StreamsExecutor::Stream& StreamsExecutor::NextStream() {
  const unsigned turn = next_.fetch_add(1, std::memory_order_relaxed);
  return *streams_[turn % streams_.size()];
}

}  // namespace dovetail
