#include "dovetail/core/executor/turns/cpu_turns.h"

#include <algorithm>
#include <utility>

#include "dovetail/core/base/process_wide.h"
#include "dovetail/core/executor/team/futex.h"

namespace dovetail {
namespace {

using Clock = std::chrono::steady_clock;

// How long the first in line sleeps before it looks for what was returned for a
// moment, and the others before they look whether they are the first.
constexpr std::chrono::milliseconds kLookOfFirst(1);
constexpr std::chrono::milliseconds kLook(5);

// When nobody was served for so long, the first goes on without a processor of
// its own: far more than a turn takes, and little where each waits for another.
constexpr std::chrono::milliseconds kPatience(100);

}  // namespace

CpuTurns& CpuTurns::OfProcess() {
  static CpuTurns& turns = ProcessWide<CpuTurns>("core/executor cpu turns");
  return turns;
}

CpuTurns::CpuTurns(int cpus)
    : free_(std::max(1, cpus)),
      limited_(cpus != kUnlimited),
      cpus_(std::max(1, cpus)) {}

void CpuTurns::SetCpus(int cpus) {
  cpus = std::max(1, cpus);
  std::lock_guard<std::mutex> lock(mutex_);
  free_.fetch_add(cpus - cpus_);
  cpus_ = cpus;
  limited_ = cpus != kUnlimited;
  ServeLocked(kAnyCpu);
}

int CpuTurns::TakeFree(int count) {
  int free = free_.load(std::memory_order_relaxed);
  while (free > 0 && count > 0) {
    const int taken = std::min(free, count);
    if (free_.compare_exchange_weak(free, free - taken)) return taken;
  }
  return 0;
}

void CpuTurns::Await() { Wait(0, kAnyCpu); }

void CpuTurns::PassOn() { Wait(1, sched_getcpu()); }

void CpuTurns::ReturnOwn(int count) { ReturnTo(count, sched_getcpu()); }

// In one order with Wait, which counts itself and then looks for a free one.
void CpuTurns::ReturnTo(int count, int cpu) {
  free_.fetch_add(count);
  if (waiting_.load() == 0) return;
  std::lock_guard<std::mutex> lock(mutex_);
  ServeLocked(cpu);
}

void CpuTurns::Wait(int returned, int cpu) {
  Waiter self;
  const bool movable = pthread_getaffinity_np(self.thread, sizeof(self.allowed),
                                              &self.allowed) == 0;
  if (!movable) CPU_ZERO(&self.allowed);
  {
    std::lock_guard<std::mutex> lock(mutex_);
    (first_ == nullptr ? first_ : last_->next) = &self;
    last_ = &self;
    waiting_.fetch_add(1);
    free_.fetch_add(returned);
    ServeLocked(cpu);
  }
  WaitUntilServed(self);
  if (self.moved) {
    pthread_setaffinity_np(self.thread, sizeof(self.allowed), &self.allowed);
  }
}

void CpuTurns::WaitUntilServed(Waiter& self) {
  int64_t seen = -1;
  Clock::time_point since;
  bool first = false;
  while (self.served.load(std::memory_order_acquire) == 0) {
    FutexWait(self.served, 0, first ? kLookOfFirst : kLook);
    if (self.served.load(std::memory_order_acquire) != 0) return;
    std::lock_guard<std::mutex> lock(mutex_);
    ServeLocked(kAnyCpu);
    first = first_ == &self;
    if (first && GoOnWithout(self, seen, since)) return;
  }
}

// Whether the first in line has waited long enough; then it is in line no more.
bool CpuTurns::GoOnWithout(Waiter& self, int64_t& seen,
                           Clock::time_point& since) {
  const Clock::time_point now = Clock::now();
  if (served_ != seen) {
    seen = served_;
    since = now;
  }
  if (now - since < kPatience) return false;
  free_.fetch_sub(1);
  RemoveLocked(self);
  return true;
}

void CpuTurns::ServeLocked(int cpu) {
  while (first_ != nullptr && TakeFree(1) == 1) {
    Waiter& waiter = *first_;
    RemoveLocked(waiter);
    MoveTo(std::exchange(cpu, kAnyCpu), waiter);
    // From here on it may be gone; to wake at its address then harms nobody.
    std::atomic<int>& served = waiter.served;
    served.store(1, std::memory_order_release);
    FutexWakeOne(served);
  }
}

// A thread that wakes is put beside one that computes as likely as in the place
// of the one that stops, whose processor then has nothing to do for
// milliseconds. So it has to wake there; it may go elsewhere as soon as it runs.
void CpuTurns::MoveTo(int cpu, Waiter& waiter) {
  if (cpu < 0 || cpu >= CPU_SETSIZE || !CPU_ISSET(cpu, &waiter.allowed) ||
      pthread_equal(waiter.thread, pthread_self())) {
    return;
  }
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(cpu, &one);
  waiter.moved =
      pthread_setaffinity_np(waiter.thread, sizeof(one), &one) == 0;
}

// The first in line.
void CpuTurns::RemoveLocked(Waiter& waiter) {
  first_ = waiter.next;
  if (first_ == nullptr) last_ = nullptr;
  waiting_.fetch_sub(1);
  ++served_;
}

}  // namespace dovetail
