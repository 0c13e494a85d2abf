#include "dovetail/core/request/stage_chain.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

#include "dovetail/core/base/scoped_trace.h"
#include "dovetail/core/request/trampoline.h"
#include "dovetail/core/tensor/memory/allocator.h"

namespace dovetail {
namespace {

absl::Status CancelledError() {
  return absl::CancelledError("the inference was cancelled");
}

}  // namespace

// Counted by hand, so that a task or a `done` holds one plain pointer, which a
// std::function stores without memory of its own. References: the chain's, one
// for an asynchronous run, one for each task in a queue.
class StageChain::State {
 public:
  State(absl::Span<const Stage> stages, bool timed)
      : stages_(stages),
        allocator_(CurrentAllocator()),
        times_(timed ? stages.size() : 0) {}

  void Ref() { references_.fetch_add(1, std::memory_order_relaxed); }
  void Unref() {
    if (references_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
  }

  void Begin();
  absl::Status RunHere();
  void Start(Ended ended);
  void Cancel() { cancelled_.store(true, std::memory_order_release); }
  void GiveUp();
  std::vector<ProfilingRecord> profiling() const;

 private:
  enum class Phase { kIdle, kQueued, kRunning };
  // What has happened of a running stage: `start` and `done` race to be second,
  // and the second one goes on.
  enum class Progress { kStarted, kReturned, kDone };
  struct Times {
    int64_t start_ns = 0;
    int64_t end_ns = 0;
  };

  ~State() = default;  // by Unref

  bool cancelled() const { return cancelled_.load(std::memory_order_acquire); }
  void Enqueue(Executor* executor, unsigned generation);
  static void RunTask(void* state, unsigned generation);
  static void ResumeStages(void* state, unsigned generation);
  void RunStages(unsigned generation);
  bool TakeQueued(unsigned generation);
  bool StartStage();
  void CallStart();
  void AwaitReturn() const;
  void Done(absl::Status status);
  bool CompleteStage(unsigned generation, bool in_place);
  void End(absl::Status status);
  void LetGo();
  static void CallEnded(void* state, unsigned);
  absl::Status RunStageHere();

  const absl::Span<const Stage> stages_;
  const std::shared_ptr<Allocator> allocator_;
  std::atomic<int> references_ = 1;
  std::atomic<bool> cancelled_ = false;

  // Of the running stage. The status is written before the progress.
  std::atomic<Progress> progress_ = Progress::kReturned;
  std::thread::id starter_;  // the thread in `start`
  absl::Status stage_status_;
  size_t stage_ = 0;
  bool asynchronous_ = false;
  // Whoever lets go last ends an asynchronous run: the run itself, or a thread
  // that is still in an executor's Schedule, as what comes after the end may
  // destroy that executor. Not the thread that starts the run: its caller sees
  // to that, and must not find itself in a callback.
  std::atomic<int> holds_ = 0;
  absl::Status end_status_;
  Ended ended_ = {};
  std::vector<Times> times_;  // empty when nobody wants to know

  std::mutex mutex_;  // guards what follows
  Phase phase_ = Phase::kIdle;
  bool given_up_ = false;  // no stage is queued any more
  unsigned generation_ = 0;  // counts runs; a stale task has another one
};

void StageChain::State::Begin() {
  cancelled_.store(false, std::memory_order_relaxed);
  {
    std::lock_guard<std::mutex> lock(mutex_);
    given_up_ = false;
  }
  for (Times& times : times_) times = Times();
}

// ---- Asynchronously ----

void StageChain::State::Start(Ended ended) {
  asynchronous_ = true;
  ended_ = ended;
  stage_ = 0;
  holds_.store(1, std::memory_order_relaxed);
  Ref();  // until the end
  const bool here = stages_.empty() || cancelled();
  Enqueue(here ? nullptr : stages_[0].executor, generation_ + 1);
}

// Hands the next stage to its executor, or to this thread when it has none.
void StageChain::State::Enqueue(Executor* executor, unsigned generation) {
  Ref();  // the task's
  bool given_up = false;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    given_up = given_up_;
    phase_ = given_up ? Phase::kRunning : Phase::kQueued;
    generation_ = generation;
  }
  if (given_up) {
    End(CancelledError());
    Unref();
    return;
  }
  if (executor == nullptr) {
    trampoline::Run({&State::RunTask, this, generation});
  } else {
    executor->Schedule([this, generation] {
      trampoline::Run({&State::RunTask, this, generation});
    });
  }
}

void StageChain::State::RunTask(void* state, unsigned generation) {
  auto* self = static_cast<State*>(state);
  self->RunStages(generation);
  self->Unref();
}

// Runs stages in this thread as long as the next one may.
void StageChain::State::RunStages(unsigned generation) {
  while (TakeQueued(generation)) {
    if (cancelled() || stages_.empty()) {
      End(cancelled() ? CancelledError() : absl::OkStatus());
      return;
    }
    if (!StartStage()) return;
    if (!CompleteStage(generation, /*in_place=*/true)) return;
  }
}

// Whether this task's stage is still to be run; it is running from here on.
bool StageChain::State::TakeQueued(unsigned generation) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (generation != generation_ || phase_ != Phase::kQueued) return false;
  phase_ = Phase::kRunning;
  return true;
}

void StageChain::State::CallStart() {
  progress_.store(Progress::kStarted, std::memory_order_relaxed);
  starter_ = std::this_thread::get_id();
  if (!times_.empty()) times_[stage_].start_ns = SteadyNanoseconds();
  const ScopedTrace trace("stage", stages_[stage_].name);
  const AllocatorScope memory(allocator_);
  stages_[stage_].start(
      [this](absl::Status status) { Done(std::move(status)); });
}

// Whether the stage is done when `start` returns; else Done goes on. Only then
// may this run be touched afterwards.
bool StageChain::State::StartStage() {
  CallStart();
  return progress_.exchange(Progress::kReturned, std::memory_order_acq_rel) ==
         Progress::kDone;
}

// What follows a stage that is done before its `start` returns goes on in the
// thread that started it, which may be the user's, who must not find itself in a
// callback. So another thread's `done` gives `start` a moment to return. It is no
// more than that, as `start` may wait for that thread in turn.
void StageChain::State::AwaitReturn() const {
  constexpr int kMostYields = 200;
  if (starter_ == std::this_thread::get_id()) return;
  for (int i = 0; i < kMostYields; ++i) {
    if (progress_.load(std::memory_order_acquire) != Progress::kStarted) return;
    std::this_thread::yield();
  }
}

void StageChain::State::Done(absl::Status status) {
  Ref();  // for the lines after which another thread may end the run
  if (!times_.empty()) times_[stage_].end_ns = SteadyNanoseconds();
  stage_status_ = std::move(status);
  const bool asynchronous = asynchronous_;
  const unsigned generation = generation_;
  if (asynchronous) AwaitReturn();
  const bool returned =
      progress_.exchange(Progress::kDone, std::memory_order_acq_rel) ==
      Progress::kReturned;
  if (!asynchronous) {
    progress_.notify_all();
  } else if (returned) {
    Ref();
    trampoline::Run({&State::ResumeStages, this, generation});
  }
  Unref();
}

void StageChain::State::ResumeStages(void* state, unsigned generation) {
  auto* self = static_cast<State*>(state);
  if (self->CompleteStage(generation, /*in_place=*/false))
    self->RunStages(generation);
  self->Unref();
}

// After a stage: ends the run, hands the next stage to its executor, or says
// that this thread is to run it. `in_place`: this is still the thread that the
// last stage's executor has given.
bool StageChain::State::CompleteStage(unsigned generation, bool in_place) {
  if (!stage_status_.ok() || stage_ + 1 == stages_.size()) {
    End(std::move(stage_status_));
    return false;
  }
  if (cancelled()) {
    End(CancelledError());
    return false;
  }
  Executor* const last = stages_[stage_].executor;
  ++stage_;
  Executor* const executor = stages_[stage_].executor;
  if (executor != nullptr && !(in_place && executor == last)) {
    Ref();
    holds_.fetch_add(1, std::memory_order_relaxed);
    Enqueue(executor, generation);
    LetGo();
    Unref();
    return false;
  }
  std::lock_guard<std::mutex> lock(mutex_);
  phase_ = Phase::kQueued;
  return true;
}

void StageChain::State::End(absl::Status status) {
  end_status_ = std::move(status);
  LetGo();
}

void StageChain::State::LetGo() {
  if (holds_.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  // What follows may start the chain again, which may end at once.
  trampoline::Run({&State::CallEnded, this, 0});
}

void StageChain::State::CallEnded(void* state, unsigned) {
  auto* self = static_cast<State*>(state);
  const Ended ended = self->ended_;
  absl::Status status = std::move(self->end_status_);
  {
    std::lock_guard<std::mutex> lock(self->mutex_);
    self->phase_ = Phase::kIdle;
  }
  ended.function(ended.object, std::move(status));
  self->Unref();
}

void StageChain::State::GiveUp() {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    given_up_ = true;
    if (phase_ != Phase::kQueued) return;
    phase_ = Phase::kRunning;  // so that its task passes it over
  }
  End(CancelledError());
}

// ---- Synchronously ----

absl::Status StageChain::State::RunHere() {
  asynchronous_ = false;
  for (stage_ = 0; stage_ < stages_.size(); ++stage_) {
    if (cancelled()) return CancelledError();
    absl::Status status = RunStageHere();
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status StageChain::State::RunStageHere() {
  CallStart();
  if (progress_.exchange(Progress::kReturned, std::memory_order_acq_rel) !=
      Progress::kDone) {
    // In a callback, what the stage has started in this thread was put off.
    trampoline::RunDeferred();
    progress_.wait(Progress::kReturned, std::memory_order_acquire);
  }
  return std::move(stage_status_);
}

// ---- Profiling ----

std::vector<ProfilingRecord> StageChain::State::profiling() const {
  std::vector<ProfilingRecord> records;
  for (size_t i = 0; i < times_.size(); ++i) {
    if (times_[i].start_ns == 0) continue;
    ProfilingRecord record;
    record.kind = ProfilingRecord::Kind::kStage;
    record.name = stages_[i].name;
    record.type = "Stage";
    record.status = ProfilingRecord::Status::kExecuted;
    record.start_ns = times_[i].start_ns;
    record.duration_ns = times_[i].end_ns - times_[i].start_ns;
    records.push_back(std::move(record));
  }
  return records;
}

// ---- StageChain ----

StageChain::StageChain(absl::Span<const Stage> stages, bool timed)
    : state_(new State(stages, timed)) {}
StageChain::~StageChain() { state_->Unref(); }
void StageChain::Begin() { state_->Begin(); }
absl::Status StageChain::RunHere() { return state_->RunHere(); }
void StageChain::Start(Ended ended) { state_->Start(ended); }
void StageChain::Cancel() { state_->Cancel(); }
void StageChain::GiveUp() { state_->GiveUp(); }
std::vector<ProfilingRecord> StageChain::profiling() const {
  return state_->profiling();
}

}  // namespace dovetail
