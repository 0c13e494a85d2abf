// The state machine under a Request: which stage is where, who may touch the
// context, and who learns of the end.
//
//   idle ─Start─▶ queued ──its executor gets to it──▶ running ──done──▶ queued
//    ▲              │ cancelled                          │ error, or last    │
//    └──────────────┴────────────────────────────────────┘    next stage ◀───┘
//
// Queued: the next stage waits in its executor's queue. Running: its `start`
// has been called and `done` has not. Both together are "busy".
#ifndef DOVETAIL_CORE_REQUEST_INFERENCE_H_
#define DOVETAIL_CORE_REQUEST_INFERENCE_H_

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "dovetail/core/plugin/plugin.h"
#include "dovetail/core/request/request.h"

namespace dovetail {

// Counted by hand, so that a task or a `done` holds one plain pointer, which a
// std::function stores without memory of its own. References: the Request's,
// one for an inference in flight, one for each task in a queue.
class Inference {
 public:
  Inference(std::shared_ptr<const Executable> executable,
            std::unique_ptr<ExecutionContext> context);

  void Ref() { references_.fetch_add(1, std::memory_order_relaxed); }
  void Unref() {
    if (references_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
  }

  const Executable& executable() const { return *executable_; }

  // Calls `body` with the context when idle, which it stays meanwhile;
  // kFailedPrecondition when busy.
  absl::Status WhenIdle(
      absl::FunctionRef<absl::Status(ExecutionContext&)> body);

  absl::Status RunHere();
  absl::Status Start();
  void Cancel();
  // Cancels, gives up a queued stage, and waits until nothing runs any more but
  // this thread's own callback.
  void Stop();
  absl::Status Wait();
  absl::StatusOr<bool> WaitFor(std::chrono::milliseconds timeout);
  absl::Status SetCallback(CompletionCallback callback);
  bool busy() const;

 private:
  enum class Phase { kIdle, kQueued, kRunning };
  // What has happened of a running stage: `start` and `done` race to be second,
  // and the second one goes on.
  enum class Progress { kStarted, kReturned, kDone };

  ~Inference() = default;  // by Unref

  absl::Status Begin(bool asynchronous);
  void Enqueue(unsigned number, bool here);
  static void Drive(void* inference, unsigned number);
  static void GoOn(void* inference, unsigned number);
  void Advance(unsigned number);
  bool TakeQueued(unsigned number, bool& cancelled);
  bool StartStage();
  void Done(absl::Status status);
  bool Next(unsigned number, bool in_place);
  absl::Status Finish(absl::Status status);
  absl::Status RunStageHere(const Stage& stage);
  bool Settled() const;

  const std::shared_ptr<const Executable> executable_;
  const std::unique_ptr<ExecutionContext> context_;
  const absl::Span<const Stage> stages_;
  std::atomic<int> references_ = 1;

  // Of the running stage. The status is written before the progress.
  std::atomic<Progress> progress_ = Progress::kReturned;
  absl::Status stage_status_;
  size_t stage_ = 0;

  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  Phase phase_ = Phase::kIdle;
  unsigned number_ = 0;  // counts inferences; a stale task has another one
  bool ever_started_ = false;
  bool asynchronous_ = false;
  bool cancelled_ = false;
  bool stopping_ = false;
  int cancelling_ = 0;         // calls of context_->Cancel() under way
  int callbacks_running_ = 0;  // in any thread
  absl::Status status_;        // of the last inference that ended
  std::shared_ptr<const CompletionCallback> callback_;
};

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REQUEST_INFERENCE_H_
