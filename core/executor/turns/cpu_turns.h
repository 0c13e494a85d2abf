// How many threads of a process compute at a time, where it is to be fewer than
// want to.
#ifndef DOVETAIL_CORE_EXECUTOR_TURNS_CPU_TURNS_H_
#define DOVETAIL_CORE_EXECUTOR_TURNS_CPU_TURNS_H_

#include <pthread.h>
#include <sched.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>

namespace dovetail {

// Where their number is limited: a processor each for threads that compute, while
// there are any; who comes later waits in line. Who takes one as `Turn` does,
// gives it back soon, and nobody waits for ever: when none was given for a while,
// since those that have them wait for something else, the first goes on without.
// Thread-safe.
class CpuTurns {
 public:
  static constexpr int kUnlimited = 1 << 30;

  // The process's, loaded plugins included. Not limited before SetCpus.
  static CpuTurns& OfProcess();

  explicit CpuTurns(int cpus = kUnlimited);
  CpuTurns(const CpuTurns&) = delete;
  CpuTurns& operator=(const CpuTurns&) = delete;

  // The processors that there are now; at least 1, kUnlimited for all who want
  // one. Where there are fewer than before, those that are taken stay so.
  void SetCpus(int cpus);
  bool limited() const { return limited_.load(std::memory_order_relaxed); }

  // Whether somebody waits, or more are taken than there are.
  bool wanted() const {
    return waiting_.load(std::memory_order_relaxed) > 0 ||
           free_.load(std::memory_order_relaxed) < 0;
  }

  // Takes up to `count` that are free, even when somebody waits; how many.
  int TakeFree(int count);
  // Takes one, after all who wait now.
  void Await();
  // Gives back so many, to who waits first.
  void Return(int count) { ReturnTo(count, kAnyCpu); }
  // The same when one of them is that of the calling thread.
  void ReturnOwn(int count);
  // The same, but who waits gets them only when nobody has taken them again
  // within a millisecond: what a thread gives back that soon goes on.
  void ReturnForAMoment(int count) { free_.fetch_add(count); }
  // ReturnOwn(1) and Await().
  void PassOn();

 private:
  static constexpr int kAnyCpu = -1;
  struct Waiter {
    std::atomic<int> served = 0;
    Waiter* next = nullptr;
    const pthread_t thread = pthread_self();
    cpu_set_t allowed;
    bool moved = false;  // runs on one processor of them
  };
  void ReturnTo(int count, int cpu);
  void Wait(int returned, int cpu);
  void WaitUntilServed(Waiter& self);
  bool GoOnWithout(Waiter& self, int64_t& seen,
                   std::chrono::steady_clock::time_point& since);
  void ServeLocked(int cpu);
  static void MoveTo(int cpu, Waiter& waiter);
  void RemoveLocked(Waiter& waiter);

  // Read at each parallel loop.
  alignas(64) std::atomic<int> free_;
  std::atomic<int> waiting_ = 0;
  std::atomic<bool> limited_;

  alignas(64) std::mutex mutex_;  // guards what follows
  int cpus_;
  Waiter* first_ = nullptr;
  Waiter* last_ = nullptr;
  int64_t served_ = 0;  // how many have been, ever
};

}  // namespace dovetail

#endif  // DOVETAIL_CORE_EXECUTOR_TURNS_CPU_TURNS_H_
