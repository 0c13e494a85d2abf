// Threads in groups. A request belongs to one stream: its stages run there one
// after the other, and their parallel loops use that stream's threads only.
// Many streams of few threads serve throughput, one stream of many threads
// latency.
#ifndef DOVETAIL_CORE_EXECUTOR_POOLS_STREAMS_EXECUTOR_H_
#define DOVETAIL_CORE_EXECUTOR_POOLS_STREAMS_EXECUTOR_H_

#include <atomic>
#include <memory>
#include <vector>

#include "absl/types/span.h"
#include "dovetail/core/executor/cpus/affinity.h"
#include "dovetail/core/executor/executor.h"
#include "dovetail/core/executor/pools/serial_queue.h"
#include "dovetail/core/executor/pools/thread_pool.h"
#include "dovetail/core/executor/team/work_team.h"

namespace dovetail {

class StreamsExecutor {
 public:
  // A thread for tasks, and helpers for loops: that thread's, or those of a
  // user's thread that runs a request's stages itself.
  class Stream {
   public:
    // `may_spin` as for WorkTeam.
    explicit Stream(int threads, bool may_spin = true);
    // In the threads of an executor, which outlives the stream.
    Stream(Executor* executor, int threads);

    // Where a request's stages run: one task at a time, in order.
    Executor& tasks() { return tasks_; }
    // The threads for parallel loops, in a stage or in the user's own thread,
    // which is one of them.
    WorkTeam& team() { return team_; }
    // The team for those that know only executors.
    Executor& loops() { return loops_; }
    int threads() const { return team_.threads(); }
    // Has each of its threads stay where its set says, the one for tasks first;
    // false when one cannot. Before it is used.
    bool Pin(absl::Span<const CpuSet> cpus);

   private:
    class Loops final : public Executor {
     public:
      explicit Loops(Stream* stream) : stream_(*stream) {}
      void Schedule(Task task) override;
      int concurrency() const override;
      void RunParts(int count, absl::FunctionRef<void(int i)> body) override;

     private:
      Stream& stream_;
    };

    WorkTeam team_;
    Loops loops_;
    std::unique_ptr<ThreadPool> pool_;  // null: an executor that was given
    Executor& executor_;
    SerialQueue tasks_;
  };

  // Both at least 1. `placement` has a set of processors for each thread, those
  // of a stream together; empty: they run where the process may. A user's own
  // thread, which runs stages itself, is never pinned.
  StreamsExecutor(int streams, int threads_per_stream,
                  const std::vector<CpuSet>& placement = {});
  // The same in the threads of an application's executor: each stream is one
  // task of it at most, and its loops have at most that many threads.
  StreamsExecutor(std::shared_ptr<Executor> executor, int streams,
                  int threads_per_stream);

  // Whether all threads are where `placement` says.
  bool pinned() const { return pinned_; }

  int stream_count() const { return static_cast<int>(streams_.size()); }
  Stream& stream(int i) { return *streams_[i]; }
  // The streams in turn: to which one a new request is bound. Thread-safe.
  Stream& NextStream();

 private:
  const std::shared_ptr<Executor> executor_;  // null: each stream's own
  std::vector<std::unique_ptr<Stream>> streams_;
  bool pinned_ = false;
  std::atomic<unsigned> next_ = 0;
};

}  // namespace dovetail

#endif  // DOVETAIL_CORE_EXECUTOR_POOLS_STREAMS_EXECUTOR_H_
