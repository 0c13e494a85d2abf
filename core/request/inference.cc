#include "dovetail/core/request/inference.h"

#include <utility>

#include "dovetail/core/base/status.h"
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
thread_local const CallbackFrame* callback_frames = nullptr;

int OwnCallbacks(const Inference* inference) {
  int count = 0;
  for (const CallbackFrame* frame = callback_frames; frame != nullptr;
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
      stages_(context_->stages()) {}

absl::Status Inference::WhenIdle(
    absl::FunctionRef<absl::Status(ExecutionContext&)> body) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (phase_ != Phase::kIdle) return BusyError();
  return body(*context_);
}

absl::Status Inference::Begin(bool asynchronous) {
  std::unique_lock<std::mutex> lock(mutex_);
  // A Cancel of the inference before must not reach this one.
  changed_.wait(lock, [this] {
    return phase_ != Phase::kIdle || cancelling_ == 0;
  });
  if (phase_ != Phase::kIdle) return BusyError();
  if (stopping_) return FailedPrecondition("the request is being destroyed");
  phase_ = Phase::kQueued;
  asynchronous_ = asynchronous;
  ever_started_ = true;
  cancelled_ = false;
  stage_ = 0;
  ++number_;
  context_->Begin();
  Ref();  // until Finish
  return absl::OkStatus();
}

// ---- Asynchronously ----

absl::Status Inference::Start() {
  DOVETAIL_RETURN_IF_ERROR(Begin(/*asynchronous=*/true));
  Enqueue(number_, /*here=*/stages_.empty());
  return absl::OkStatus();
}

// Hands the next stage to its executor, or to this thread.
void Inference::Enqueue(unsigned number, bool here) {
  Executor* executor = here ? nullptr : stages_[stage_].executor;
  Ref();  // the task's
  if (executor == nullptr) {
    trampoline::Run({&Inference::Drive, this, number});
  } else {
    executor->Schedule([this, number] {
      trampoline::Run({&Inference::Drive, this, number});
    });
  }
}

void Inference::Drive(void* inference, unsigned number) {
  auto* self = static_cast<Inference*>(inference);
  self->Advance(number);
  self->Unref();
}

// Runs stages in this thread as long as the next one may.
void Inference::Advance(unsigned number) {
  bool cancelled = false;
  while (TakeQueued(number, cancelled)) {
    if (cancelled || stages_.empty()) {
      Finish(cancelled ? CancelledError() : absl::OkStatus()).IgnoreError();
      return;
    }
    if (!StartStage()) return;
    if (!Next(number, /*in_place=*/true)) return;
  }
}

// Whether this task's stage is still to be run; it is running from here on.
bool Inference::TakeQueued(unsigned number, bool& cancelled) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (number != number_ || phase_ != Phase::kQueued) return false;
  phase_ = Phase::kRunning;
  cancelled = cancelled_;
  return true;
}

// Whether the stage is done when `start` returns; else Done goes on. Only then
// may this inference be touched afterwards.
bool Inference::StartStage() {
  progress_.store(Progress::kStarted, std::memory_order_relaxed);
  stages_[stage_].start(
      [this](absl::Status status) { Done(std::move(status)); });
  return progress_.exchange(Progress::kReturned, std::memory_order_acq_rel) ==
         Progress::kDone;
}

void Inference::Done(absl::Status status) {
  Ref();  // for the lines after which another thread may end the inference
  stage_status_ = std::move(status);
  const bool asynchronous = asynchronous_;
  const unsigned number = number_;
  const bool returned = progress_.exchange(Progress::kDone,
                                           std::memory_order_acq_rel) ==
                        Progress::kReturned;
  if (!asynchronous) {
    progress_.notify_all();
  } else if (returned) {
    Ref();
    trampoline::Run({&Inference::GoOn, this, number});
  }
  Unref();
}

void Inference::GoOn(void* inference, unsigned number) {
  auto* self = static_cast<Inference*>(inference);
  if (self->Next(number, /*in_place=*/false)) self->Advance(number);
  self->Unref();
}

// After a stage: ends the inference, hands the next stage to its executor, or
// says that this thread is to run it. `in_place`: this is still the thread that
// the last stage's executor has given.
bool Inference::Next(unsigned number, bool in_place) {
  if (!stage_status_.ok() || stage_ + 1 == stages_.size()) {
    Finish(std::move(stage_status_)).IgnoreError();
    return false;
  }
  Executor* const last = stages_[stage_].executor;
  ++stage_;
  Executor* const executor = stages_[stage_].executor;
  const bool here = executor == nullptr || (in_place && executor == last);
  {
    std::lock_guard<std::mutex> lock(mutex_);
    phase_ = Phase::kQueued;
    changed_.notify_all();  // Stop may want to give it up
  }
  if (!here) Enqueue(number, /*here=*/false);
  return here;
}

// Returns how it ended, since another inference may have begun by then.
absl::Status Inference::Finish(absl::Status status) {
  std::shared_ptr<const CompletionCallback> callback;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    if (cancelled_ && status.ok()) status = CancelledError();
    status_ = status;
    phase_ = Phase::kIdle;
    if (asynchronous_) callback = callback_;
    if (callback != nullptr) ++callbacks_running_;
    changed_.notify_all();
  }
  if (callback != nullptr) {
    const CallbackFrame frame = {this, callback_frames};
    callback_frames = &frame;
    (*callback)(status);
    callback_frames = frame.outer;
    callback.reset();
    std::lock_guard<std::mutex> lock(mutex_);
    --callbacks_running_;
    changed_.notify_all();
  }
  Unref();
  return status;
}

// ---- Synchronously ----

absl::Status Inference::RunHere() {
  DOVETAIL_RETURN_IF_ERROR(Begin(/*asynchronous=*/false));
  absl::Status status;
  bool cancelled = false;
  for (stage_ = 0; stage_ < stages_.size() && status.ok(); ++stage_) {
    {
      std::lock_guard<std::mutex> lock(mutex_);
      phase_ = Phase::kRunning;
      cancelled = cancelled_;
    }
    status = cancelled ? CancelledError() : RunStageHere(stages_[stage_]);
  }
  return Finish(std::move(status));
}

absl::Status Inference::RunStageHere(const Stage& stage) {
  progress_.store(Progress::kStarted, std::memory_order_relaxed);
  stage.start([this](absl::Status status) { Done(std::move(status)); });
  if (progress_.exchange(Progress::kReturned, std::memory_order_acq_rel) !=
      Progress::kDone) {
    progress_.wait(Progress::kReturned, std::memory_order_acquire);
  }
  return std::move(stage_status_);
}

// ---- From outside ----

void Inference::Cancel() {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    if (phase_ == Phase::kIdle) return;
    cancelled_ = true;
    ++cancelling_;
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
  return phase_ == Phase::kIdle && callbacks_running_ == OwnCallbacks(this);
}

void Inference::Stop() {
  for (;;) {
    bool give_up = false;
    {
      std::lock_guard<std::mutex> lock(mutex_);
      stopping_ = true;
      // Not a synchronous inference's: its thread is about to run it.
      if (phase_ == Phase::kQueued && asynchronous_) {
        phase_ = Phase::kRunning;  // so that its task passes it over
        give_up = true;
      }
    }
    if (give_up) {
      Finish(CancelledError()).IgnoreError();
    } else {
      Cancel();
    }
    trampoline::RunPutOff();
    std::unique_lock<std::mutex> lock(mutex_);
    // A stage that ends queues the next one: then this has to look again.
    changed_.wait(lock, [this] {
      return Settled() || (phase_ == Phase::kQueued && asynchronous_);
    });
    if (Settled()) return;
  }
}

absl::Status Inference::Wait() {
  trampoline::RunPutOff();
  std::unique_lock<std::mutex> lock(mutex_);
  if (!ever_started_) return FailedPrecondition("no inference was started");
  changed_.wait(lock, [this] { return Settled(); });
  return status_;
}

absl::StatusOr<bool> Inference::WaitFor(std::chrono::milliseconds timeout) {
  trampoline::RunPutOff();
  std::unique_lock<std::mutex> lock(mutex_);
  if (!ever_started_) return FailedPrecondition("no inference was started");
  if (!changed_.wait_for(lock, timeout, [this] { return Settled(); })) {
    return false;
  }
  if (!status_.ok()) return status_;
  return true;
}

absl::Status Inference::SetCallback(CompletionCallback callback) {
  std::shared_ptr<const CompletionCallback> shared;
  if (callback != nullptr) {
    shared = std::make_shared<const CompletionCallback>(std::move(callback));
  }
  std::lock_guard<std::mutex> lock(mutex_);
  if (phase_ != Phase::kIdle) return BusyError();
  callback_.swap(shared);  // what it held goes after the lock
  return absl::OkStatus();
}

bool Inference::busy() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return phase_ != Phase::kIdle;
}

}  // namespace dovetail
