// Runs each task at once, in the thread that schedules it.
#ifndef DOVETAIL_CORE_EXECUTOR_INLINE_EXECUTOR_H_
#define DOVETAIL_CORE_EXECUTOR_INLINE_EXECUTOR_H_

#include "dovetail/core/executor/executor.h"

namespace dovetail {

class InlineExecutor final : public Executor {
 public:
  void Schedule(Task task) override { task(); }
};

}  // namespace dovetail

#endif  // DOVETAIL_CORE_EXECUTOR_INLINE_EXECUTOR_H_
