// How many threads of a process compute at a time, where more want to than
// there are processors.
#ifndef DOVETAIL_CORE_EXECUTOR_TURNS_CPU_TURNS_H_
#define DOVETAIL_CORE_EXECUTOR_TURNS_CPU_TURNS_H_

#include <pthread.h>
#include <sched.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>

namespace dovetail {

// A processor each for threads that compute, while there are any; who comes
// later waits in line. Who takes one as `Turn` does, gives it back soon, and
// nobody waits for ever: when none was given for a while, since those that have
// them wait for something else, the first goes on without. Thread-safe.
//
// Who has computed less goes first. What a thread has computed is its `used`,
// time on a clock that all share: it goes on with those that compute, and a
// thread that was idle meanwhile is put at most kCredit behind it.
class CpuTurns {
 public:
  using Used = std::chrono::nanoseconds;

  static constexpr int kUnlimited = 1 << 30;
  static constexpr std::chrono::milliseconds kCredit{10};

  // The process's, loaded plugins included. Not limited before SetCpus.
  static CpuTurns& OfProcess();

  explicit CpuTurns(int cpus = kUnlimited);
  CpuTurns(const CpuTurns&) = delete;
  CpuTurns& operator=(const CpuTurns&) = delete;

  // The processors that there are now, and how many of them this process is to
  // keep to, kUnlimited for all; at least 1. Where there are fewer than before,
  // those that are taken stay so.
  void SetCpus(int cpus);
  void SetShare(int cpus);
  // There are so many, unless more are known of: a thread sees no more of them
  // than it may use itself.
  void AddCpus(int cpus);
  bool limited() const { return limited_.load(std::memory_order_relaxed); }

  int free() const { return free_.load(std::memory_order_relaxed); }
  // Whether somebody waits, or more are taken than there are.
  bool wanted() const {
    return waiting_.load(std::memory_order_relaxed) > 0 || free() < 0;
  }
  // What the first in line has used; Used::max() when nobody waits.
  Used first() const {
    return Used(first_used_.load(std::memory_order_relaxed));
  }

  // Takes up to `count` that are free, even when somebody waits; how many.
  int TakeFree(int count);
  // For a thread that has used so much: where it stands among the others now.
  Used Enter(Used used) const;
  // One that has them has used so much.
  void Advance(Used used);
  // Takes one, after all who wait now and have not used more; where this thread
  // stands then.
  Used Await(Used used);
  // Gives back so many, to who waits first.
  void Return(int count) { ReturnTo(count, kAnyCpu); }
  // The same when one of them is that of the calling thread.
  void ReturnOwn(int count);
  // The same, but who waits gets them only when nobody has taken them again
  // within some milliseconds: what a thread gives back that soon goes on.
  void ReturnForAMoment(int count);
  // ReturnOwn(1) and Await.
  Used PassOn(Used used);

  // Inferences that compute or wait, and those of them that would have more
  // processors than they have and than Share.
  void Join() { inferences_.fetch_add(1, std::memory_order_relaxed); }
  void Part() { inferences_.fetch_sub(1, std::memory_order_relaxed); }
  void SetHungry(bool hungry) {
    hungry_.fetch_add(hungry ? 1 : -1, std::memory_order_relaxed);
  }
  bool hungry() const { return hungry_.load(std::memory_order_relaxed) > 0; }
  // How many each may have while others want more; at least 1.
  int Share() const;

 private:
  static constexpr int kAnyCpu = -1;
  enum State { kInLine, kServed, kLooks };
  struct Waiter {
    std::atomic<int> state = kInLine;
    Waiter* next = nullptr;
    Used used{0};
    bool was_idle = false;
    const std::chrono::steady_clock::time_point since =
        std::chrono::steady_clock::now();
    std::chrono::nanoseconds look_after{0};
    const pthread_t thread = pthread_self();
    cpu_set_t allowed;
    bool movable = false;
    bool moved = false;  // runs on one processor of them, and stops nobody
  };
  void SetCpusLocked();
  void ReturnTo(int count, int cpu);
  Used Wait(Used used, int returned, int cpu);
  void WaitUntilServed(Waiter& self);
  std::chrono::nanoseconds LookAfterLocked(const Waiter& self);
  bool GoOnWithout(Waiter& self);
  void ServeLocked(int cpu);
  static void MoveTo(int cpu, Waiter& waiter);
  static void MoveBack(Waiter& self);
  void InsertLocked(Waiter& waiter);
  void RemoveFirstLocked();

  // Read at each parallel loop.
  alignas(64) std::atomic<int> free_;
  std::atomic<int> waiting_ = 0;
  std::atomic<int64_t> first_used_;
  std::atomic<int> inferences_ = 0;
  std::atomic<int> hungry_ = 0;
  std::atomic<int> cpus_;  // of all together
  std::atomic<bool> limited_;
  std::atomic<int64_t> clock_ = 0;

  // Some were returned for a moment while others waited, since the first looked.
  std::atomic<bool> moment_ = false;
  // The first in line looks soon without being woken.
  std::atomic<bool> looking_ = false;

  alignas(64) std::mutex mutex_;  // guards what follows
  int there_are_;
  int share_ = kUnlimited;
  Waiter* first_ = nullptr;
  std::chrono::steady_clock::time_point last_served_;
};

}  // namespace dovetail

#endif  // DOVETAIL_CORE_EXECUTOR_TURNS_CPU_TURNS_H_
