#include "dovetail/core/executor/turns/cpu_turns.h"

#include <algorithm>
#include <utility>

#include "dovetail/core/base/process_wide.h"
#include "dovetail/core/executor/team/futex.h"

namespace dovetail {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::nanoseconds;

// How long the first in line sleeps before it looks for what was returned for a
// moment, where any was of late: to look it has to wait for a processor like
// any other thread. One that was idle looks sooner, whether it goes on without.
constexpr std::chrono::milliseconds kLook(5);
constexpr std::chrono::microseconds kLookOfIdle(500);

// When nobody was served for so long, the first goes on without a processor of
// its own: far more than a turn takes, and little where each waits for another.
constexpr std::chrono::milliseconds kPatience(100);
// The same for one that was idle: others let it go on between two layers, and
// only long layers, as of large language models, take longer.
constexpr std::chrono::milliseconds kPatienceOfIdle(1);

// A clock that is this much behind is as good.
constexpr std::chrono::milliseconds kClockStep(1);

}  // namespace

CpuTurns& CpuTurns::OfProcess() {
  static CpuTurns& turns = ProcessWide<CpuTurns>("core/executor cpu turns");
  return turns;
}

CpuTurns::CpuTurns(int cpus)
    : free_(std::max(1, cpus)),
      first_used_(Used::max().count()),
      cpus_(std::max(1, cpus)),
      limited_(cpus != kUnlimited),
      there_are_(cpus) {}

void CpuTurns::SetCpus(int cpus) {
  std::lock_guard<std::mutex> lock(mutex_);
  there_are_ = cpus;
  SetCpusLocked();
}

void CpuTurns::AddCpus(int cpus) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (there_are_ != kUnlimited && there_are_ >= cpus) return;
  there_are_ = cpus;
  SetCpusLocked();
}

void CpuTurns::SetShare(int cpus) {
  std::lock_guard<std::mutex> lock(mutex_);
  share_ = cpus;
  SetCpusLocked();
}

void CpuTurns::SetCpusLocked() {
  const int cpus = std::max(1, std::min(there_are_, share_));
  free_.fetch_add(cpus - cpus_.exchange(cpus));
  limited_ = cpus != kUnlimited;
  ServeLocked(kAnyCpu);
}

int CpuTurns::Share() const {
  const int inferences = inferences_.load(std::memory_order_relaxed);
  return std::max(
      1, cpus_.load(std::memory_order_relaxed) / std::max(1, inferences));
}

int CpuTurns::TakeFree(int count) {
  int free = free_.load(std::memory_order_relaxed);
  while (free > 0 && count > 0) {
    const int taken = std::min(free, count);
    if (free_.compare_exchange_weak(free, free - taken)) return taken;
  }
  return 0;
}

CpuTurns::Used CpuTurns::Enter(Used used) const {
  return std::max(used, Used(clock_.load(std::memory_order_relaxed)) - kCredit);
}

void CpuTurns::Advance(Used used) {
  int64_t clock = clock_.load(std::memory_order_relaxed);
  while (Used(clock) + kClockStep <= used &&
         !clock_.compare_exchange_weak(clock, used.count())) {
  }
}

CpuTurns::Used CpuTurns::Await(Used used) { return Wait(used, 0, kAnyCpu); }

CpuTurns::Used CpuTurns::PassOn(Used used) {
  return Wait(used, 1, sched_getcpu());
}

void CpuTurns::ReturnOwn(int count) { ReturnTo(count, sched_getcpu()); }

// In one order with Wait, which counts itself and then looks for a free one.
void CpuTurns::ReturnTo(int count, int cpu) {
  free_.fetch_add(count);
  if (waiting_.load() == 0) return;
  std::lock_guard<std::mutex> lock(mutex_);
  ServeLocked(cpu);
}

void CpuTurns::ReturnForAMoment(int count) {
  free_.fetch_add(count);
  if (waiting_.load() == 0) return;
  moment_.store(true, std::memory_order_relaxed);
  if (looking_.load(std::memory_order_relaxed)) return;
  std::lock_guard<std::mutex> lock(mutex_);
  if (first_ == nullptr) return;
  first_->state.store(kLooks, std::memory_order_release);
  FutexWakeOne(first_->state);
}

CpuTurns::Used CpuTurns::Wait(Used used, int returned, int cpu) {
  Waiter self;
  self.used = used;
  self.was_idle =
      used <= Used(clock_.load(std::memory_order_relaxed)) - kCredit;
  int policy;
  sched_param parameters;
  self.movable =
      pthread_getschedparam(self.thread, &policy, &parameters) == 0 &&
      policy == SCHED_OTHER &&
      pthread_getaffinity_np(self.thread, sizeof(self.allowed),
                             &self.allowed) == 0;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    InsertLocked(self);
    free_.fetch_add(returned);
    ServeLocked(cpu);
    self.look_after = LookAfterLocked(self);
  }
  WaitUntilServed(self);
  if (self.moved) MoveBack(self);
  return self.used;
}

void CpuTurns::WaitUntilServed(Waiter& self) {
  while (true) {
    FutexWait(self.state, kInLine, self.look_after);
    if (self.state.load(std::memory_order_acquire) == kServed) return;
    std::lock_guard<std::mutex> lock(mutex_);
    // What was returned just now most likely is taken again.
    if (self.state.load(std::memory_order_relaxed) == kLooks) {
      self.state.store(kInLine, std::memory_order_relaxed);
    } else {
      ServeLocked(kAnyCpu);
    }
    if (GoOnWithout(self)) return;
    self.look_after = LookAfterLocked(self);
  }
}

// How long one in line may sleep.
nanoseconds CpuTurns::LookAfterLocked(const Waiter& self) {
  const bool first = first_ == &self;
  if (self.was_idle) return first ? nanoseconds(kLookOfIdle) : kLook;
  if (!first) return kPatience;
  const bool moment = moment_.exchange(false, std::memory_order_relaxed);
  looking_.store(moment, std::memory_order_relaxed);
  return moment ? kLook : kPatience;
}

// Whether one in line is the first and has waited long enough; then it is in
// line no more.
bool CpuTurns::GoOnWithout(Waiter& self) {
  if (first_ != &self) return false;
  const Clock::duration waited =
      Clock::now() - std::max(self.since, last_served_);
  if (waited < (self.was_idle ? kPatienceOfIdle : kPatience)) return false;
  free_.fetch_sub(1);
  RemoveFirstLocked();
  self.used = Enter(self.used);
  return true;
}

void CpuTurns::ServeLocked(int cpu) {
  while (first_ != nullptr && TakeFree(1) == 1) {
    Waiter& waiter = *first_;
    RemoveFirstLocked();
    MoveTo(std::exchange(cpu, kAnyCpu), waiter);
    waiter.used = Enter(waiter.used);
    Advance(waiter.used);
    // From here on it may be gone; to wake at its address then harms nobody.
    std::atomic<int>& state = waiter.state;
    state.store(kServed, std::memory_order_release);
    FutexWakeOne(state);
  }
}

// A thread that wakes is put beside one that computes as likely as in the place
// of the one that stops, whose processor then has nothing to do for
// milliseconds. So it has to wake there; it may go elsewhere as soon as it
// runs. Nor may it stop this thread before that sleeps: for all that follows an
// inference, and to get in line again, it would have to wait for a time slice
// of the kernel's, wanting a processor.
void CpuTurns::MoveTo(int cpu, Waiter& waiter) {
  if (cpu < 0 || cpu >= CPU_SETSIZE || !waiter.movable ||
      !CPU_ISSET(cpu, &waiter.allowed) ||
      pthread_equal(waiter.thread, pthread_self())) {
    return;
  }
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(cpu, &one);
  waiter.moved = pthread_setaffinity_np(waiter.thread, sizeof(one), &one) == 0;
  const sched_param parameters = {};
  if (waiter.moved) {
    pthread_setschedparam(waiter.thread, SCHED_BATCH, &parameters);
  }
}

void CpuTurns::MoveBack(Waiter& self) {
  const sched_param parameters = {};
  pthread_setschedparam(self.thread, SCHED_OTHER, &parameters);
  pthread_setaffinity_np(self.thread, sizeof(self.allowed), &self.allowed);
}

void CpuTurns::InsertLocked(Waiter& waiter) {
  Waiter** place = &first_;
  while (*place != nullptr && (*place)->used <= waiter.used) {
    place = &(*place)->next;
  }
  waiter.next = *place;
  *place = &waiter;
  first_used_ = first_->used.count();
  waiting_.fetch_add(1);
}

void CpuTurns::RemoveFirstLocked() {
  first_ = first_->next;
  first_used_ = first_ == nullptr ? Used::max().count() : first_->used.count();
  waiting_.fetch_sub(1);
  looking_.store(false, std::memory_order_relaxed);
  last_served_ = Clock::now();
}

}  // namespace dovetail
