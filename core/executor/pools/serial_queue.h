// Tasks that run one at a time and in order, on the threads of another
// executor: a lock that nobody waits for.
#ifndef DOVETAIL_CORE_EXECUTOR_POOLS_SERIAL_QUEUE_H_
#define DOVETAIL_CORE_EXECUTOR_POOLS_SERIAL_QUEUE_H_

#include <memory>

#include "dovetail/core/executor/executor.h"

namespace dovetail {

class SerialQueue final : public Executor {
 public:
  // `executor` has to outlive the queue.
  explicit SerialQueue(Executor* executor);
  // Waits until what has been scheduled has run; runs it in place instead when
  // one of the queue's own tasks calls it, or when the executor has not begun
  // with it, whose only thread this may be.
  ~SerialQueue() override;

  void Schedule(Task task) override;

 private:
  struct Shared;
  static void Drain(Shared& shared);

  std::shared_ptr<Shared> shared_;
};

}  // namespace dovetail

#endif  // DOVETAIL_CORE_EXECUTOR_POOLS_SERIAL_QUEUE_H_
