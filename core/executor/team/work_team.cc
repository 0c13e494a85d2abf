#include "dovetail/core/executor/team/work_team.h"

#include <algorithm>
#include <chrono>
#include <system_error>
#include <thread>
#include <utility>

#include "dovetail/core/base/process_wide.h"
#include "dovetail/core/executor/cpus/cpu_info.h"
#include "dovetail/core/executor/cpus/float_control.h"
#include "dovetail/core/executor/team/futex.h"
#include "dovetail/core/executor/thread_clock.h"

namespace dovetail {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::microseconds;
using std::chrono::nanoseconds;

// How long a helper waits for the next loop before it sleeps. To be woken takes
// it as long as some tens of microseconds of work.
constexpr microseconds kHelperSpin(50);
// The same between inferences: the next one often comes at once.
constexpr microseconds kHelperLinger(20);
// How long the caller waits for helpers' last tasks before it looks whether
// they get on, how long each look takes, and the sleep between looks after so
// many: a helper that works is not waited for by spinning for ever.
constexpr microseconds kCallerSpin(20);
constexpr microseconds kLook(10);
constexpr int kLooksAwake = 30;
constexpr microseconds kNap(500);

// Between two looks at the clock, which takes as long as a few pauses.
constexpr int kPausesPerLook = 16;

// A woken helper wakes that many more, so that many wake in few steps.
constexpr int kWakesEach = 2;

// Whether this thread is in a body; one a thread, also where the team is of the
// program and the body of a loaded plugin.
bool& OwnInBody() {
  static thread_local bool in_body = false;
  return in_body;
}
bool& InBodyOfThread() {
  static bool& (*const get)() =
      ProcessWideOfThread<bool, &OwnInBody>("core/executor in body");
  return get();
}

// Where the helpers of this thread's loops count their time; null: nowhere.
std::atomic<int64_t>*& OwnHelpersNs() {
  static thread_local std::atomic<int64_t>* helpers_ns = nullptr;
  return helpers_ns;
}
std::atomic<int64_t>*& HelpersNsOfThread() {
  static std::atomic<int64_t>*& (*const get)() =
      ProcessWideOfThread<std::atomic<int64_t>*, &OwnHelpersNs>(
          "core/executor helpers_ns");
  return get();
}

// How many helpers a loop of this thread may have: so many in an inference,
// whose Turn says it (core/executor/turns); negative: nobody says.
int& OwnHelperLimit() {
  static thread_local int limit = -1;
  return limit;
}
int HelperLimitOfThread() {
  static int& (*const get)() =
      ProcessWideOfThread<int, &OwnHelperLimit>("core/executor helper limit");
  return get();
}

// Loops under way to which not all helpers of their team may come. While there
// are any, helpers that are woken wake no others.
std::atomic<int> limited_loops = 0;

inline void Pause() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

// See WorkTeam::Share.
uint64_t PackedTasks(uint64_t begin, uint64_t end) { return begin << 32 | end; }

// Calls `done` until it says yes or the time is over; its last answer.
template <typename Done>
bool SpinUntil(nanoseconds limit, Done done) {
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

WorkTeam::WorkTeam(int threads)
    : WorkTeam(threads, threads > 1 && threads <= UsableCpus()) {}

WorkTeam::WorkTeam(int threads, bool may_spin)
    : may_spin_(may_spin), budget_(SpinBudget::OfProcess()) {
  for (int i = 1; i < threads; ++i) {
    helpers_.push_back(std::make_unique<Helper>());
  }
  shares_ = std::vector<Share>(helpers_.size() + 1);
  try {
    for (const auto& helper : helpers_) {
      const int member = helper_count_ + 1;
      helper->thread.Start([this, &helper, member] { Help(*helper, member); },
                           "dovetail-team");
      ++helper_count_;
    }
  } catch (const std::system_error&) {
    // The system's limit on threads: those there are have to do.
  }
  threads_ = helper_count_ + 1;
}

WorkTeam::WorkTeam(Executor* executor, int threads)
    : may_spin_(false),
      executor_(executor),
      budget_(SpinBudget::OfProcess()),
      threads_(std::max(1, std::min(threads, executor->concurrency()))) {}

WorkTeam::~WorkTeam() {
  stopping_.store(true);
  Wake(helper_count_);
  for (int i = 0; i < helper_count_; ++i) helpers_[i]->thread.Join();
}

bool WorkTeam::PinHelpers(absl::Span<const CpuSet> cpus) {
  if (static_cast<int>(cpus.size()) < helper_count_) return false;
  bool pinned = true;
  for (int i = 0; i < helper_count_; ++i) {
    pinned = helpers_[i]->thread.Pin(cpus[i]) && pinned;
  }
  return pinned;
}

void WorkTeam::Run(int count, Body body) {
  // Whichever thread does it, a task computes as the caller would.
  const FloatControl control = FloatControl::OfThread();
  if (count > 1 && executor_ != nullptr && threads_ > 1 && !InBody()) {
    RunOnExecutor(count, [&](int task) {
      const ScopedFloatControl scope(control);
      body(task);
    });
    return;
  }
  const int limit = HelperLimitOfThread();
  const bool alone =
      limit < 0 ? budget_.HelpersTakeTurns(threads_) : limit == 0;
  if (count > 1 && helper_count_ > 0 && !alone &&
      !busy_.exchange(true, std::memory_order_acquire)) {
    RunTogether(count, [&](int task) {
      control.SetForThread();  // helpers do nothing but such tasks
      body(task);
    });
    busy_.store(false, std::memory_order_release);
    return;
  }
  for (int i = 0; i < count; ++i) body(i);
}

bool WorkTeam::InBody() { return InBodyOfThread(); }

WorkTeam::CountHelpers::CountHelpers(std::atomic<int64_t>& ns)
    : outer_(std::exchange(HelpersNsOfThread(), &ns)) {}

WorkTeam::CountHelpers::~CountHelpers() { HelpersNsOfThread() = outer_; }

// ---- The calling thread ----

void WorkTeam::RunTogether(int count, const Body& body) {
  // The first members have one task more where they are not all equal.
  int64_t end = 0;
  for (int i = 0; i < threads_; ++i) {
    const int64_t begin = end;
    end += (count - begin + threads_ - i - 1) / (threads_ - i);
    shares_[i].tasks.store(PackedTasks(begin, end), std::memory_order_relaxed);
  }
  body_ = &body;
  helpers_ns_ = HelpersNsOfThread();
  caller_cpu_.store(CurrentCpu(), std::memory_order_relaxed);
  unfinished_.store(count, std::memory_order_relaxed);
  // In one order with Sleep, which counts itself and then looks for tasks.
  untaken_.store(count, std::memory_order_seq_cst);
  const int sleepers = sleepers_.load(std::memory_order_seq_cst);
  const int awake = helper_count_ - sleepers;
  const int limit = HelperLimitOfThread();
  const bool limited = 0 <= limit && limit < helper_count_;
  if (limited) limited_loops.fetch_add(1, std::memory_order_relaxed);
  const int most = std::min(limited ? limit : awake + kWakesEach, count - 1);
  if (sleepers > 0 && awake < most) Wake(most - awake);
  const int done = Drain(0, [] {});
  if (limited) limited_loops.fetch_sub(1, std::memory_order_relaxed);
  if (unfinished_.fetch_sub(done, std::memory_order_acq_rel) != done) {
    WaitForHelpers();
  }
}

// Each part of the executor's takes tasks until there are none left, so that no
// more of its threads than the team's number are at work.
void WorkTeam::RunOnExecutor(int count, const Body& body) {
  std::atomic<int> next = 0;
  std::atomic<int64_t>* const helpers_ns = HelpersNsOfThread();
  const std::thread::id caller = std::this_thread::get_id();
  executor_->RunParts(std::min(count, threads_), [&](int) {
    const bool counts =
        helpers_ns != nullptr && std::this_thread::get_id() != caller;
    const int64_t start_ns = counts ? ThreadCpuNanoseconds() : 0;
    bool& in_body = InBodyOfThread();
    const bool was_in_body = std::exchange(in_body, true);
    for (;;) {
      const int task = next.fetch_add(1, std::memory_order_relaxed);
      if (task >= count) break;
      body(task);
    }
    in_body = was_in_body;
    if (!counts) return;
    helpers_ns->fetch_add(ThreadCpuNanoseconds() - start_ns,
                          std::memory_order_relaxed);
  });
}

// What is left is in helpers' hands. The kernel would let one that has lost its
// processor wait for a whole time slice, though the caller's is free: it does
// not soon move a thread that has run a moment ago.
void WorkTeam::WaitForHelpers() {
  const auto finished = [this] { return Finished(); };
  if (!spins()) {
    SleepUntilFinished(kNoLimit);
    return;
  }
  if (SpinUntil(kCallerSpin, finished)) return;
  for (int look = 0;; ++look) {
    SampleCpuTimes();
    if (look < kLooksAwake ? SpinUntil(kLook, finished)
                           : SleepUntilFinished(kNap)) {
      return;
    }
    const int cpu = CurrentCpu();
    if (MigrateStopped(cpu)) {
      SleepUntilFinished(kNoLimit);
      ReleaseMigrated(cpu);
      return;
    }
  }
}

void WorkTeam::SampleCpuTimes() {
  for (int i = 0; i < helper_count_; ++i) {
    Helper& helper = *helpers_[i];
    if (helper.working.load(std::memory_order_relaxed)) {
      helper.cpu_time = helper.thread.CpuTime();
    }
  }
}

// Has the helpers that have not run since SampleCpuTimes run here; whether
// there are any.
bool WorkTeam::MigrateStopped(int cpu) {
  bool any = false;
  for (int i = 0; i < helper_count_; ++i) {
    Helper& helper = *helpers_[i];
    helper.migrated = helper.working.load(std::memory_order_relaxed) &&
                      helper.thread.CpuTime() - helper.cpu_time < kLook / 4 &&
                      helper.thread.MigrateTo(cpu);
    any = any || helper.migrated;
  }
  return any;
}

void WorkTeam::ReleaseMigrated(int cpu) {
  for (int i = 0; i < helper_count_; ++i) {
    Helper& helper = *helpers_[i];
    if (std::exchange(helper.migrated, false)) helper.thread.Release(cpu);
  }
}

bool WorkTeam::Finished() const {
  return unfinished_.load(std::memory_order_acquire) == 0;
}

// Whether all tasks were finished within the limit.
bool WorkTeam::SleepUntilFinished(nanoseconds limit) {
  caller_sleeps_.store(true, std::memory_order_seq_cst);
  int unfinished;
  while ((unfinished = unfinished_.load(std::memory_order_seq_cst)) != 0) {
    FutexWait(unfinished_, unfinished, limit);
    if (limit != kNoLimit) break;
  }
  caller_sleeps_.store(false, std::memory_order_relaxed);
  return Finished();
}

// ---- Helpers ----

void WorkTeam::Help(Helper& helper, int member) {
  while (!stopping_.load(std::memory_order_acquire)) {
    LeaveCaller(helper);
    helper.working.store(true, std::memory_order_relaxed);
    const int done = DrainTimed(member);
    if (done > 0) Finish(done);
    helper.working.store(false, std::memory_order_relaxed);
    if (!SpinForWork()) Sleep(helper);
  }
}

// A helper that runs where the caller would run stops it, and the kernel sees
// no reason to part them as long as they take turns.
void WorkTeam::LeaveCaller(Helper& helper) {
  if (!may_spin_ || !busy_.load(std::memory_order_relaxed) ||
      caller_sleeps_.load(std::memory_order_relaxed)) {
    return;
  }
  const int cpu = CurrentCpu();
  if (cpu == caller_cpu_.load(std::memory_order_relaxed)) {
    helper.thread.Leave(cpu);
  }
}

void WorkTeam::Finish(int done) {
  if (unfinished_.fetch_sub(done, std::memory_order_seq_cst) == done &&
      caller_sleeps_.load(std::memory_order_seq_cst)) {
    FutexWakeOne(unfinished_);
  }
}

bool WorkTeam::SpinForWork() {
  const auto work = [this] {
    return untaken_.load(std::memory_order_relaxed) > 0;
  };
  const auto idle = [this] {
    return sessions_.load(std::memory_order_relaxed) == 0;
  };
  while (spins()) {
    SpinUntil(kHelperSpin, [&] { return work() || idle() || !spins(); });
    if (work()) return true;
    if (!idle()) return false;
    SpinUntil(kHelperLinger, [&] { return work() || !idle() || !spins(); });
    if (work()) return true;
    if (idle()) return false;
  }
  return false;
}

void WorkTeam::Sleep(Helper& helper) {
  // Counted first: callers may take it for asleep too early, not too late. Only
  // who makes a 1 a 0 takes it off the count.
  sleepers_.fetch_add(1, std::memory_order_seq_cst);
  helper.asleep.store(1, std::memory_order_seq_cst);
  if (untaken_.load(std::memory_order_seq_cst) > 0 ||
      stopping_.load(std::memory_order_seq_cst)) {
    if (helper.asleep.exchange(0) == 1) sleepers_.fetch_sub(1);
  }
  while (helper.asleep.load(std::memory_order_acquire) == 1) {
    FutexWait(helper.asleep, 1);
  }
  // Who has been called has to call those whom the caller left to it.
  const int left = untaken_.load(std::memory_order_relaxed);
  if (left > 1 && sleepers_.load(std::memory_order_relaxed) > 0 &&
      limited_loops.load(std::memory_order_relaxed) == 0) {
    Wake(std::min(left - 1, kWakesEach));
  }
}

// The time is counted before the tasks are finished, so that the caller, who
// waits for these, has it all.
int WorkTeam::DrainTimed(int member) {
  std::atomic<int64_t>* counted = nullptr;
  int64_t start_ns = 0;
  const int done = Drain(member, [&] {
    counted = helpers_ns_;
    if (counted != nullptr) start_ns = ThreadCpuNanoseconds();
  });
  if (counted != nullptr) {
    counted->fetch_add(ThreadCpuNanoseconds() - start_ns,
                       std::memory_order_relaxed);
  }
  return done;
}

// ---- Both ----

// Does tasks until none is left to take; how many it did. Calls `at_first`
// when it has taken the first one.
template <typename AtFirst>
int WorkTeam::Drain(int member, AtFirst at_first) {
  int done = 0;
  bool& in_body = InBodyOfThread();
  const bool was_in_body = std::exchange(in_body, true);
  // First looks without writing: the others read this number all the time.
  while (untaken_.load(std::memory_order_relaxed) > 0) {
    const int taken = untaken_.fetch_sub(1, std::memory_order_acquire);
    if (taken <= 0) break;
    if (done == 0) at_first();
    (*body_)(TakeTask(member));
    ++done;
  }
  in_body = was_in_body;
  return done;
}

// For who has taken one off `untaken_`, so there is one: of the member's own
// share the first, of another's the last.
int WorkTeam::TakeTask(int member) {
  for (int i = member;; i = (i + 1) % threads_) {
    std::atomic<uint64_t>& tasks = shares_[i].tasks;
    uint64_t packed = tasks.load(std::memory_order_relaxed);
    while (true) {
      const uint64_t begin = packed >> 32, end = packed & 0xffffffff;
      if (begin == end) break;
      const bool own = i == member;
      const uint64_t rest =
          own ? PackedTasks(begin + 1, end) : PackedTasks(begin, end - 1);
      if (tasks.compare_exchange_weak(packed, rest,
                                      std::memory_order_relaxed)) {
        return static_cast<int>(own ? begin : end - 1);
      }
    }
  }
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
