#include "dovetail/core/executor/work_team.h"

#include <pthread.h>

#include <algorithm>
#include <chrono>
#include <system_error>
#include <utility>

#include "dovetail/core/executor/futex.h"

namespace dovetail {
namespace {

using Clock = std::chrono::steady_clock;

// How long a helper waits for the next loop before it sleeps, and the caller
// for helpers' last tasks.
constexpr std::chrono::microseconds kHelperSpin(50);
constexpr std::chrono::microseconds kCallerSpin(20);
constexpr std::chrono::microseconds kNoSpin(0);
// Between two looks at the clock, which takes as long as a few pauses.
constexpr int kPausesPerLook = 16;

// A woken helper wakes that many more, so that many wake in few steps.
constexpr int kWakesEach = 2;

thread_local bool in_body = false;

inline void Pause() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

// Calls `done` until it says yes or the time is over; its last answer.
template <typename Done>
bool SpinUntil(std::chrono::microseconds limit, Done done) {
  const Clock::time_point start = Clock::now();
  do {
    for (int i = 0; i < kPausesPerLook; ++i) {
      if (done()) return true;
      Pause();
    }
  } while (Clock::now() - start < limit);
  return done();
}

}  // namespace

WorkTeam::WorkTeam(int threads, bool may_spin) : may_spin_(may_spin) {
  for (int i = 1; i < threads; ++i) {
    helpers_.push_back(std::make_unique<Helper>());
  }
  try {
    for (const auto& helper : helpers_) {
      helper->thread = std::thread([this, &helper] { Help(*helper); });
      pthread_setname_np(helper->thread.native_handle(), "dovetail-team");
      ++helper_count_;
    }
  } catch (const std::system_error&) {
    // The system's limit on threads: those there are have to do.
  }
}

WorkTeam::~WorkTeam() {
  stopping_.store(true);
  Wake(helper_count_);
  for (int i = 0; i < helper_count_; ++i) helpers_[i]->thread.join();
}

void WorkTeam::Run(int count, Body body) {
  if (count > 1 && helper_count_ > 0 &&
      !busy_.exchange(true, std::memory_order_acquire)) {
    RunTogether(count, body);
    busy_.store(false, std::memory_order_release);
    return;
  }
  for (int i = 0; i < count; ++i) body(i);
}

bool WorkTeam::InBody() { return in_body; }

// ---- The calling thread ----

void WorkTeam::RunTogether(int count, const Body& body) {
  count_ = count;
  body_ = &body;
  unfinished_.store(count, std::memory_order_relaxed);
  // In one order with Sleep, which counts itself and then looks for tasks.
  untaken_.store(count, std::memory_order_seq_cst);
  const int sleepers = sleepers_.load(std::memory_order_seq_cst);
  const int awake = helper_count_ - sleepers;
  if (sleepers > 0 && awake < count - 1) {
    Wake(std::min(count - 1 - awake, kWakesEach));
  }
  const int done = WorkOff();
  if (unfinished_.fetch_sub(done, std::memory_order_acq_rel) != done) {
    WaitForHelpers();
  }
}

void WorkTeam::WaitForHelpers() {
  const auto finished = [this] {
    return unfinished_.load(std::memory_order_acquire) == 0;
  };
  if (SpinUntil(may_spin_ ? kCallerSpin : kNoSpin, finished)) return;
  caller_sleeps_.store(1, std::memory_order_seq_cst);
  for (;;) {
    const int unfinished = unfinished_.load(std::memory_order_seq_cst);
    if (unfinished == 0) break;
    FutexWait(unfinished_, unfinished);
  }
  caller_sleeps_.store(0, std::memory_order_relaxed);
}

// ---- Helpers ----

void WorkTeam::Help(Helper& helper) {
  while (!stopping_.load(std::memory_order_acquire)) {
    const int done = WorkOff();
    if (done > 0 &&
        unfinished_.fetch_sub(done, std::memory_order_seq_cst) == done &&
        caller_sleeps_.load(std::memory_order_seq_cst) != 0) {
      FutexWakeOne(unfinished_);
    }
    if (!SpinForWork()) Sleep(helper);
  }
}

bool WorkTeam::SpinForWork() {
  if (!may_spin_) return false;
  bool work = false;
  SpinUntil(kHelperSpin, [&] {
    work = untaken_.load(std::memory_order_relaxed) > 0;
    return work || sessions_.load(std::memory_order_relaxed) == 0;
  });
  return work;
}

void WorkTeam::Sleep(Helper& helper) {
  // Only who makes a 1 a 0 takes the helper off the count.
  helper.asleep.store(1, std::memory_order_seq_cst);
  sleepers_.fetch_add(1, std::memory_order_seq_cst);
  if (untaken_.load(std::memory_order_seq_cst) > 0 ||
      stopping_.load(std::memory_order_seq_cst)) {
    if (helper.asleep.exchange(0) == 1) sleepers_.fetch_sub(1);
    return;
  }
  while (helper.asleep.load(std::memory_order_acquire) == 1) {
    FutexWait(helper.asleep, 1);
  }
  // Woken, so there were many tasks: others may be needed too.
  const int left = untaken_.load(std::memory_order_relaxed);
  if (left > 1 && sleepers_.load(std::memory_order_relaxed) > 0) {
    Wake(std::min(left - 1, kWakesEach));
  }
}

// ---- Both ----

// Does tasks until none is left to take; how many it did.
int WorkTeam::WorkOff() {
  int done = 0;
  const bool was_in_body = std::exchange(in_body, true);
  // First looks without writing: the others read this number all the time.
  while (untaken_.load(std::memory_order_relaxed) > 0) {
    const int taken = untaken_.fetch_sub(1, std::memory_order_acquire);
    if (taken <= 0) break;
    (*body_)(count_ - taken);
    ++done;
  }
  in_body = was_in_body;
  return done;
}

// Wakes up to `count` helpers that sleep.
void WorkTeam::Wake(int count) {
  for (const auto& helper : helpers_) {
    if (count == 0) return;
    int asleep = 1;
    if (!helper->asleep.compare_exchange_strong(asleep, 0)) continue;
    sleepers_.fetch_sub(1);
    FutexWakeOne(helper->asleep);
    --count;
  }
}

}  // namespace dovetail
