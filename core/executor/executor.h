// Where work runs. A backend's stages, a stage's parallel loops and users'
// callbacks all go through this one method, so that one process-wide choice of
// threads serves them all.
#ifndef DOVETAIL_CORE_EXECUTOR_EXECUTOR_H_
#define DOVETAIL_CORE_EXECUTOR_EXECUTOR_H_

#include <functional>

#include "absl/functional/function_ref.h"

namespace dovetail {

using Task = std::function<void()>;

// Thread-safe. Destroying an executor first runs what has been scheduled. An
// application may derive one of its own (Core::SetExecutor); then none of these
// functions may throw.
class Executor {
 public:
  virtual ~Executor() = default;

  // Runs `task` once, now or later, in this thread or another. Tasks must not
  // throw and must not wait for tasks scheduled after them.
  virtual void Schedule(Task task) = 0;

  // How many tasks can run at the same time; at least 1.
  virtual int concurrency() const { return 1; }

  // Calls `body(i)` once for each i in [0, count) and returns when all are
  // done. The calling thread takes part, and every thread takes the next when
  // it has finished one: a part belongs to nobody, so a thread that has lost
  // its core delays one part, not the loop. May be nested and may be called
  // from a task of the same executor. Allocates nothing once it has run.
  virtual void RunParts(int count, absl::FunctionRef<void(int i)> body);
};

}  // namespace dovetail

#endif  // DOVETAIL_CORE_EXECUTOR_EXECUTOR_H_
