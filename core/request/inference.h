// The state machine under a Request: who may touch the context, and who learns
// of the end. What lies between start and end is a StageChain.
#ifndef DOVETAIL_CORE_REQUEST_INFERENCE_H_
#define DOVETAIL_CORE_REQUEST_INFERENCE_H_

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "dovetail/core/plugin/plugin.h"
#include "dovetail/core/request/request.h"
#include "dovetail/core/request/stage_chain.h"
#include "dovetail/core/tensor/memory/allocator.h"

namespace dovetail {

// Counted by hand, so that what ends an inference holds one plain pointer.
// References: the Request's, and one for an inference in flight.
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
  // The records of the context's layers, then those of its stages.
  absl::StatusOr<std::vector<ProfilingRecord>> Profiling();

  absl::Status RunHere();
  absl::Status Start();
  void Cancel();
  // Cancels, gives up a queued stage, and waits until nothing runs any more but
  // this thread's own callback.
  void Stop();
  absl::Status Wait();
  absl::StatusOr<bool> WaitFor(std::chrono::milliseconds timeout);
  absl::Status SetCallback(CompletionCallback callback,
                           std::shared_ptr<Executor> executor);
  bool busy() const;

 private:
  // What is called at the end, and where; null: in the thread of the end.
  struct Callback {
    CompletionCallback function;
    std::shared_ptr<Executor> executor;
  };

  ~Inference() = default;  // by Unref

  absl::Status Begin(bool asynchronous);
  static void Ended(void* inference, absl::Status status);
  absl::Status Finish(absl::Status status);
  void Call(std::shared_ptr<const Callback> callback,
            const absl::Status& status);
  bool Settled() const;

  const std::shared_ptr<const Executable> executable_;
  const std::unique_ptr<ExecutionContext> context_;
  const std::shared_ptr<Allocator> allocator_;  // of who made the request
  StageChain chain_;
  std::atomic<int> references_ = 1;

  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  bool busy_ = false;
  bool ever_started_ = false;
  bool asynchronous_ = false;
  bool cancelled_ = false;
  bool stopping_ = false;
  int cancelling_ = 0;         // calls of context_->Cancel() under way
  int callbacks_running_ = 0;  // in any thread, or waiting for one
  absl::Status status_;        // of the last inference that ended
  std::shared_ptr<const Callback> callback_;
};

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REQUEST_INFERENCE_H_
