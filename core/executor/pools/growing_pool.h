// Threads of which one is always free for the next task.
#ifndef DOVETAIL_CORE_EXECUTOR_POOLS_GROWING_POOL_H_
#define DOVETAIL_CORE_EXECUTOR_POOLS_GROWING_POOL_H_

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/string_view.h"
#include "dovetail/core/executor/cpus/affinity.h"
#include "dovetail/core/executor/executor.h"
#include "dovetail/core/executor/pools/ring_queue.h"

namespace dovetail {

// For short tasks that may now and then wait for tasks scheduled after them,
// such as completions of a device with users' callbacks behind them: a task
// for which no thread is free gets a new one. There are as many threads as
// tasks have ever been under way at one time; they end with the pool. They run
// on the processors of the thread that makes the pool, whichever thread's task
// needs a new one: that may be pinned.
class GrowingPool final : public Executor {
 public:
  // `name` is what debuggers and `top` show (15 characters).
  explicit GrowingPool(absl::string_view name);
  // Runs what is in the queue and waits for all threads. May not be called by
  // one of the pool's own tasks.
  ~GrowingPool() override;

  // Where the system refuses another thread, the task waits for one; where it
  // has not given a single one, the task runs in place.
  void Schedule(Task task) override;
  int concurrency() const override;

 private:
  bool Grow();  // false where the system refuses
  void Run();

  const std::string name_;
  const CpuSet cpus_;  // of the threads; empty where nobody can say
  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable wake_;
  RingQueue<Task> tasks_;
  size_t free_ = 0;  // threads that have no task
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace dovetail

#endif  // DOVETAIL_CORE_EXECUTOR_POOLS_GROWING_POOL_H_
