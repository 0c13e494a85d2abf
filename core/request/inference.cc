#include "dovetail/core/request/inference.h"

#include <utility>

#include "dovetail/core/base/process_wide.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/properties/standard_properties.h"
#include "dovetail/core/request/trampoline.h"

namespace dovetail {
namespace {

absl::Status BusyError() {
  return FailedPrecondition(
      "the request is busy: wait for it or cancel it first");
}

absl::Status CancelledError() {
  return absl::CancelledError("the inference was cancelled");
}

// The callbacks that the current thread is in, innermost first.
struct CallbackFrame {
  const Inference* inference;
  const CallbackFrame* outer;
};
const CallbackFrame*& OwnFrames() {
  static thread_local const CallbackFrame* frames = nullptr;
  return frames;
}

// Also of requests that a loaded plugin has made.
const CallbackFrame*& CallbackFrames() {
  static const CallbackFrame*& (*const get)() =
      ProcessWideOfThread<const CallbackFrame*, &OwnFrames>(
          "core/request callbacks");
  return get();
}

int OwnCallbacks(const Inference* inference) {
  int count = 0;
  for (const CallbackFrame* frame = CallbackFrames(); frame != nullptr;
       frame = frame->outer) {
    if (frame->inference == inference) ++count;
  }
  return count;
}

}  // namespace

Inference::Inference(std::shared_ptr<const Executable> executable,
                     std::unique_ptr<ExecutionContext> context)
    : executable_(std::move(executable)),
      context_(std::move(context)),
      allocator_(CurrentAllocator()),
      chain_(context_->stages(),
             executable_->config().GetBool(properties::kPerfCount)) {}

absl::Status Inference::WhenIdle(
    absl::FunctionRef<absl::Status(ExecutionContext&)> body) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (busy_) return BusyError();
  const AllocatorScope memory(allocator_);
  return body(*context_);
}

absl::StatusOr<std::vector<ProfilingRecord>> Inference::Profiling() {
  std::lock_guard<std::mutex> lock(mutex_);
  if (busy_) return BusyError();
  std::vector<ProfilingRecord> records = context_->profiling();
  for (ProfilingRecord& record : chain_.profiling()) {
    records.push_back(std::move(record));
  }
  return records;
}

// ---- An inference ----

absl::Status Inference::Begin(bool asynchronous) {
  std::unique_lock<std::mutex> lock(mutex_);
  // A Cancel of the inference before must not reach this one.
  changed_.wait(lock, [this] { return busy_ || cancelling_ == 0; });
  if (busy_) return BusyError();
  if (stopping_) return FailedPrecondition("the request is being destroyed");
  busy_ = true;
  asynchronous_ = asynchronous;
  ever_started_ = true;
  cancelled_ = false;
  const AllocatorScope memory(allocator_);
  context_->Begin(/*synchronous=*/!asynchronous);
  chain_.Begin();
  Ref();  // until Finish
  return absl::OkStatus();
}

absl::Status Inference::RunHere() {
  DOVETAIL_RETURN_IF_ERROR(Begin(/*asynchronous=*/false));
  return Finish(chain_.RunHere());
}

absl::Status Inference::Start() {
  DOVETAIL_RETURN_IF_ERROR(Begin(/*asynchronous=*/true));
  // The callback may destroy the request before Start has returned.
  Ref();
  chain_.Start({&Inference::Ended, this});
  Unref();
  return absl::OkStatus();
}

void Inference::Ended(void* inference, absl::Status status) {
  static_cast<Inference*>(inference)->Finish(std::move(status)).IgnoreError();
}

// Returns how it ended, since another inference may have begun by then.
absl::Status Inference::Finish(absl::Status status) {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    if (cancelled_ && status.ok()) status = CancelledError();
  }
  {
    const AllocatorScope memory(allocator_);
    context_->End(status);
  }
  std::shared_ptr<const Callback> callback;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    status_ = status;
    busy_ = false;
    if (asynchronous_) callback = callback_;
    if (callback != nullptr) ++callbacks_running_;
    changed_.notify_all();
  }
  if (callback != nullptr && callback->executor != nullptr) {
    Executor& executor = *callback->executor;
    Ref();  // the task's
    executor.Schedule([this, callback = std::move(callback), status] {
      Call(callback, status);
      Unref();
    });
  } else if (callback != nullptr) {
    Call(std::move(callback), status);
  }
  Unref();
  return status;
}

void Inference::Call(std::shared_ptr<const Callback> callback,
                     const absl::Status& status) {
  const CallbackFrame frame = {this, CallbackFrames()};
  CallbackFrames() = &frame;
  callback->function(status);
  CallbackFrames() = frame.outer;
  callback.reset();
  std::lock_guard<std::mutex> lock(mutex_);
  --callbacks_running_;
  changed_.notify_all();
}

// ---- From outside ----

void Inference::Cancel() {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    if (!busy_) return;
    cancelled_ = true;
    ++cancelling_;
    chain_.Cancel();
  }
  // A context may call `done` from its Cancel. What follows from that, perhaps
  // the next inference, has to wait until Cancel has returned.
  Ref();
  trampoline::Defer([this] {
    context_->Cancel();
    std::lock_guard<std::mutex> lock(mutex_);
    --cancelling_;
    changed_.notify_all();
  });
  Unref();
}

bool Inference::Settled() const {
  return !busy_ && callbacks_running_ == OwnCallbacks(this);
}

void Inference::Stop() {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    stopping_ = true;
  }
  Cancel();
  // From here on no stage is queued, so that one that is there is the last.
  chain_.GiveUp();
  trampoline::RunDeferred();
  std::unique_lock<std::mutex> lock(mutex_);
  changed_.wait(lock, [this] { return Settled(); });
}

absl::Status Inference::Wait() {
  trampoline::RunDeferred();
  std::unique_lock<std::mutex> lock(mutex_);
  if (!ever_started_) return FailedPrecondition("no inference was started");
  changed_.wait(lock, [this] { return Settled(); });
  return status_;
}

absl::StatusOr<bool> Inference::WaitFor(std::chrono::milliseconds timeout) {
  trampoline::RunDeferred();
  std::unique_lock<std::mutex> lock(mutex_);
  if (!ever_started_) return FailedPrecondition("no inference was started");
  if (!changed_.wait_for(lock, timeout, [this] { return Settled(); })) {
    return false;
  }
  if (!status_.ok()) return status_;
  return true;
}

absl::Status Inference::SetCallback(CompletionCallback callback,
                                    std::shared_ptr<Executor> executor) {
  std::shared_ptr<const Callback> shared;
  if (callback != nullptr) {
    shared = std::make_shared<const Callback>(
        Callback{std::move(callback), std::move(executor)});
  }
  std::lock_guard<std::mutex> lock(mutex_);
  if (busy_) return BusyError();
  callback_.swap(shared);  // what it held goes after the lock
  return absl::OkStatus();
}

bool Inference::busy() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return busy_;
}

}  // namespace dovetail
