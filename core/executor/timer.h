// Tasks at a later moment.
#ifndef DOVETAIL_CORE_EXECUTOR_TIMER_H_
#define DOVETAIL_CORE_EXECUTOR_TIMER_H_

#include <chrono>
#include <cstdint>
#include <memory>

#include "absl/status/statusor.h"
#include "dovetail/core/executor/executor.h"

namespace dovetail {

// One thread for all tasks, started by the first. They run in it one after the
// other, so they should only hand work on, as to an executor. Thread-safe.
class Timer {
 public:
  using Id = uint64_t;

  Timer();
  // Drops the tasks that are not due; not to be called by a task.
  ~Timer();

  // Runs `task` once, `wait` from now or as soon after that as it can; of tasks
  // for one moment, the one that was given first runs first. Once it has held
  // as many tasks, it allocates nothing. kResourceExhausted when the system
  // refuses the thread.
  absl::StatusOr<Id> After(std::chrono::nanoseconds wait, Task task);
  // True: the task will not run. False: it has run. While it runs this waits
  // for its end, but for a task that cancels itself; so what the task uses can
  // go afterwards.
  bool Cancel(Id id);

 private:
  struct Shared;
  static void Run(Shared& shared);

  std::unique_ptr<Shared> shared_;
};

}  // namespace dovetail

#endif  // DOVETAIL_CORE_EXECUTOR_TIMER_H_
