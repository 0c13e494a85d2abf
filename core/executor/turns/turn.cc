#include "dovetail/core/executor/turns/turn.h"

#include <algorithm>

#include "dovetail/core/base/process_wide.h"
#include "dovetail/core/executor/turns/quota_watch.h"

namespace dovetail {
namespace {

using Clock = std::chrono::steady_clock;
using Used = CpuTurns::Used;

// How much more than one that waits a thread may have computed. To change takes
// some tens of microseconds, and more until caches are warm.
constexpr std::chrono::milliseconds kSlice(10);

// To pass a processor on after each inference that is shorter than this, or in
// the middle before, would take a good part of its time.
constexpr std::chrono::milliseconds kShort(1);

// A processor that is free between two inferences of a thread is soon taken
// again: one inference that is under way takes it for a helper only when it has
// stayed free so long.
constexpr std::chrono::microseconds kSettled(300);

// Who takes a turn again so soon, as requests do that follow each other, most
// likely does so after the next turn as well.
constexpr std::chrono::microseconds kSoon(100);

struct State {
  Turn* turn = nullptr;
  Clock::time_point end;  // of the last turn
  Used used{0};           // by then
  bool comes_soon = false;
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
void LookAtQuota(Clock::time_point now) {
  QuotaWatch& quota = QuotaWatch::OfProcess();
  if (!quota.Due(now)) return;
  CpuTurns::OfProcess().SetShare(quota.Cpus().value_or(CpuTurns::kUnlimited));
}

}  // namespace

Turn::Turn(int threads, CpuTurns& turns)
    : turns_(turns), most_helpers_(std::max(0, threads - 1)) {
  State& state = StateOfThread();
  if (state.turn != nullptr) return;
  start_ = Clock::now();
  LookAtQuota(start_);
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
  const Clock::duration idle = start_ - state.end;
  state.comes_soon = idle < kSoon;
  turns_.Join();
  used_ = turns_.Enter(state.used);
  // Who has only waited long stands behind those that were idle.
  if (idle < kShort) used_ += kShort;
  if (used_ - kSlice >= turns_.first() || turns_.TakeFree(1) == 0) {
    used_ = turns_.Await(used_);
    start_ = Clock::now();
  } else {
    turns_.Advance(used_);
  }
  free_since_ = start_ - kSettled;
  HelperLimitOfThread() = 0;
  ShareHelpers();
}

void Turn::End() {
  SetHungry(false);
  turns_.Part();
  State& state = StateOfThread();
  state.end = Clock::now();
  state.used = UsedBy(state.end);
  const int held = helpers_ + 1;
  if (state.comes_soon && state.end - start_ < kShort &&
      state.used - kSlice < turns_.first()) {
    return turns_.ReturnForAMoment(held);
  }
  turns_.Advance(state.used - kSlice);
  turns_.ReturnOwn(held);
}

// What this thread has used; with helpers it is more, but nobody has waited.
Used Turn::UsedBy(Clock::time_point now) const {
  return used_ + (now - start_);
}

void Turn::GiveWay() {
  ShareHelpers();
  if (!turns_.wanted()) return;
  const Clock::time_point now = Clock::now();
  const Used used = UsedBy(now);
  const bool one_too_many = turns_.free() < 0 && now - start_ >= kSlice;
  const bool others_first = used - kSlice >= turns_.first();
  if (now - start_ < kShort || !(others_first || one_too_many)) return;
  turns_.Advance(used - kSlice);
  used_ = turns_.PassOn(used);
  start_ = Clock::now();
}

// Helpers beyond a fair share go when others want processors; more come when
// there are free ones that nobody has a better claim to.
void Turn::ShareHelpers() {
  if (most_helpers_ == 0) return;
  const int share = turns_.Share();
  const bool short_of = turns_.wanted() || (turns_.hungry() && !hungry_);
  const int most =
      short_of ? std::min(share - 1, most_helpers_) : most_helpers_;
  if (helpers_ > most) {
    const int count = helpers_ - most;
    AddHelpers(-count);
    turns_.Return(count);
  } else if (helpers_ < most && FreeForAWhile()) {
    AddHelpers(turns_.TakeFree(most - helpers_));
  }
  SetHungry(helpers_ < std::min(share - 1, most_helpers_));
}

void Turn::AddHelpers(int count) {
  helpers_ += count;
  HelperLimitOfThread() = helpers_;
}

bool Turn::FreeForAWhile() {
  if (turns_.free() <= 0) {
    free_since_ = Clock::time_point();
    return false;
  }
  const Clock::time_point now = Clock::now();
  if (free_since_ == Clock::time_point()) free_since_ = now;
  return now - free_since_ >= kSettled;
}

void Turn::SetHungry(bool hungry) {
  if (hungry == hungry_) return;
  hungry_ = hungry;
  turns_.SetHungry(hungry);
}

}  // namespace dovetail
