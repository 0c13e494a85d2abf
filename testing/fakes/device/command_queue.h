// The fake device's command queue: the host puts work in and is told of its end
// on the queue's own thread, as by an interrupt.
#ifndef DOVETAIL_TESTING_FAKES_DEVICE_COMMAND_QUEUE_H_
#define DOVETAIL_TESTING_FAKES_DEVICE_COMMAND_QUEUE_H_

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>

#include "absl/status/status.h"
#include "dovetail/core/executor/pools/thread_pool.h"

namespace dovetail {

// Thread-safe. Work is done in order of submission, one piece at a time.
class CommandQueue {
 public:
  // What the device does; to look at `aborted` now and then.
  using Work = std::function<absl::Status(const std::atomic<bool>& aborted)>;
  // Called exactly once for each piece of work: on the queue's thread, or by
  // Abort or Fail for work that was not being done yet. May destroy the queue.
  using Completion = std::function<void(absl::Status)>;
  using Ticket = int64_t;  // from 1

  CommandQueue();
  // What is still in the queue ends with kCancelled.
  ~CommandQueue();

  Ticket Submit(Work work, Completion completion);
  // Ends a piece of work with kCancelled, soon if it is being done. One that
  // has ended is left alone.
  void Abort(Ticket ticket);

  // From here on nothing more is done, until Release.
  void Hold();
  void Release();
  // Everything ends with this error from now on.
  void Fail(const absl::Status& status);

 private:
  struct Job {
    Ticket ticket;
    Work work;
    Completion completion;
    std::atomic<bool> aborted = false;
  };
  using JobPtr = std::shared_ptr<Job>;

  void DoNext();
  // Empties the queue, telling all of `status`.
  void Drop(const absl::Status& status);

  std::mutex mutex_;  // guards what follows, but the pool
  std::deque<JobPtr> waiting_;
  JobPtr running_;
  Ticket last_ = 0;
  bool held_ = false;
  absl::Status failure_;
  // Each task does one job. Last, so that it ends before what the tasks use.
  ThreadPool thread_;
};

}  // namespace dovetail

#endif  // DOVETAIL_TESTING_FAKES_DEVICE_COMMAND_QUEUE_H_
