// Where work runs. A backend's stages, a stage's parallel loops and users'
// callbacks all go through this one method, so that one process-wide choice of
// threads serves them all.
#ifndef DOVETAIL_CORE_EXECUTOR_EXECUTOR_H_
#define DOVETAIL_CORE_EXECUTOR_EXECUTOR_H_

#include <functional>

namespace dovetail {

using Task = std::function<void()>;

// Thread-safe. Destroying an executor first runs what has been scheduled.
class Executor {
 public:
  virtual ~Executor() = default;

  // Runs `task` once, now or later, in this thread or another. Tasks must not
  // throw and must not wait for tasks scheduled after them.
  virtual void Schedule(Task task) = 0;

  // How many tasks can run at the same time; at least 1.
  virtual int concurrency() const { return 1; }
};

}  // namespace dovetail

#endif  // DOVETAIL_CORE_EXECUTOR_EXECUTOR_H_
