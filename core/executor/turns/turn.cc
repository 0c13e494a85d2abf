#include "dovetail/core/executor/turns/turn.h"

#include <algorithm>

#include "dovetail/core/base/process_wide.h"
#include "dovetail/core/executor/quota/quota_watch.h"

namespace dovetail {
namespace {

using Clock = std::chrono::steady_clock;

// How long a thread may compute while others wait. To change takes some tens of
// microseconds, and more until caches are warm.
constexpr std::chrono::milliseconds kSlice(10);

// To pass a processor on after each inference that is shorter than this would
// take a good part of its time.
constexpr std::chrono::milliseconds kShort(1);

struct State {
  Turn* turn = nullptr;
  Clock::time_point slice_end;  // also of the turns to come
};

State& OwnState() {
  static thread_local State state;
  return state;
}
State& StateOfThread() {
  static State& (*const get)() =
      ProcessWideOfThread<State, &OwnState>("core/executor turn");
  return get();
}

// What WorkTeam asks.
int& OwnHelperLimit() {
  static thread_local int limit = -1;
  return limit;
}
int& HelperLimitOfThread() {
  static int& (*const get)() =
      ProcessWideOfThread<int, &OwnHelperLimit>("core/executor helper limit");
  return get();
}

// Other processes may use more or less of the quota than before.
void LookAtQuota() {
  QuotaWatch& quota = QuotaWatch::OfProcess();
  if (!quota.Due(Clock::now())) return;
  CpuTurns::OfProcess().SetCpus(quota.Cpus().value_or(CpuTurns::kUnlimited));
}

}  // namespace

Turn::Turn(int threads, CpuTurns& turns)
    : turns_(turns), most_helpers_(std::max(0, threads - 1)) {
  State& state = StateOfThread();
  if (state.turn != nullptr) return;
  LookAtQuota();
  if (!turns_.limited()) return;
  state.turn = this;
  Begin();
}

Turn::~Turn() {
  State& state = StateOfThread();
  if (state.turn != this) return;
  state.turn = nullptr;
  HelperLimitOfThread() = -1;
  End();
}

void Turn::LetOthersGoOn() {
  if (Turn* turn = StateOfThread().turn) turn->GiveWay();
}

int Turn::Helpers() { return HelperLimitOfThread(); }

void Turn::Begin() {
  State& state = StateOfThread();
  start_ = Clock::now();
  const bool wanted = turns_.wanted();
  if ((wanted && start_ >= state.slice_end) || turns_.TakeFree(1) == 0) {
    turns_.Await();
    start_ = Clock::now();
    state.slice_end = start_ + kSlice;
  } else if (!wanted) {
    state.slice_end = start_ + kSlice;
  }
  HelperLimitOfThread() = 0;
  TakeHelpers();
}

void Turn::End() {
  const int held = helpers_ + 1;
  if (turns_.wanted()) {
    const Clock::time_point now = Clock::now();
    if (now < StateOfThread().slice_end && now - start_ < kShort) {
      return turns_.ReturnForAMoment(held);
    }
  }
  turns_.ReturnOwn(held);
}

void Turn::GiveWay() {
  if (!turns_.wanted()) return TakeHelpers();
  ReturnHelpers();
  State& state = StateOfThread();
  if (Clock::now() < state.slice_end) return;
  turns_.PassOn();
  start_ = Clock::now();
  state.slice_end = start_ + kSlice;
}

void Turn::TakeHelpers() {
  if (helpers_ == most_helpers_ || turns_.wanted()) return;
  helpers_ += turns_.TakeFree(most_helpers_ - helpers_);
  HelperLimitOfThread() = helpers_;
}

void Turn::ReturnHelpers() {
  if (helpers_ == 0) return;
  turns_.Return(helpers_);
  helpers_ = 0;
  HelperLimitOfThread() = 0;
}

}  // namespace dovetail
