// A thread that others can move to another processor. The kernel shares
// processors out fairly between threads, but does not know which of them wait
// for each other.
#ifndef DOVETAIL_CORE_EXECUTOR_TEAM_MOVABLE_THREAD_H_
#define DOVETAIL_CORE_EXECUTOR_TEAM_MOVABLE_THREAD_H_

#include <pthread.h>
#include <sched.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <thread>

#include "dovetail/core/executor/cpus/affinity.h"

namespace dovetail {

// The processor that runs the calling thread; negative when nobody can say.
inline int CurrentCpu() { return sched_getcpu(); }

// Moving is no pinning: afterwards the thread may run where it might before.
// Where the system does not let threads be moved, moves do nothing.
class MovableThread {
 public:
  // Throws std::system_error when the system refuses another thread.
  void Start(std::function<void()> body, const char* name);
  void Join() { thread_.join(); }

  // Has it stay on these processors; false where it cannot. Before anybody
  // moves it.
  bool Pin(const CpuSet& cpus) {
    return SetAffinity(thread_.native_handle(), cpus);
  }

  // What the thread has used; of a thread that has no processor at the moment
  // it stands still. Zero when nobody can say.
  std::chrono::nanoseconds CpuTime();

  // Has the thread run on `cpu` alone until Release; false when it cannot be.
  // Nothing that another thread has moved in this moment.
  bool MigrateTo(int cpu);
  // Ends MigrateTo: the thread leaves `cpu`, if there is another for it.
  void Release(int cpu);
  // The calling thread, which is this, leaves `cpu` if there is another.
  void Leave(int cpu);

 private:
  void MoveAway(pthread_t thread, int cpu);

  std::thread thread_;
  std::atomic<bool> moving_ = false;  // who has set it may use `allowed_`
  cpu_set_t allowed_;
};

}  // namespace dovetail

#endif  // DOVETAIL_CORE_EXECUTOR_TEAM_MOVABLE_THREAD_H_
