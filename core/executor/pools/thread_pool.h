// A fixed number of threads that take tasks from one queue.
#ifndef DOVETAIL_CORE_EXECUTOR_POOLS_THREAD_POOL_H_
#define DOVETAIL_CORE_EXECUTOR_POOLS_THREAD_POOL_H_

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/string_view.h"
#include "dovetail/core/executor/cpus/affinity.h"
#include "dovetail/core/executor/executor.h"

namespace dovetail {

// Tasks start in the order in which they were scheduled.
class ThreadPool final : public Executor {
 public:
  // `threads` is at least 1; `name` (15 characters) is what debuggers and `top`
  // show. Where the system refuses more threads the pool has fewer, as
  // concurrency() says; without a single one, Schedule runs tasks in place.
  explicit ThreadPool(int threads, absl::string_view name = "dovetail");
  // Runs what is in the queue and waits for all threads. May be called by one
  // of the pool's own tasks, such as a callback that drops a model's last user.
  ~ThreadPool() override;

  void Schedule(Task task) override;
  int concurrency() const override;
  // Has all its threads stay on these processors; false when one cannot.
  bool Pin(const CpuSet& cpus);

 private:
  struct Shared;
  static void Run(const std::shared_ptr<Shared>& shared);

  std::shared_ptr<Shared> shared_;
  std::vector<std::thread> threads_;
};

}  // namespace dovetail

#endif  // DOVETAIL_CORE_EXECUTOR_POOLS_THREAD_POOL_H_
