#include "dovetail/backends/gpu/hand_over.h"

#include <atomic>
#include <memory>
#include <thread>
#include <utility>

namespace dovetail::gpu {

void HandOver(Executor& executor, Task task) {
  const auto returned = std::make_shared<std::atomic<bool>>(false);
  executor.Schedule(
      [returned, task = std::move(task), from = std::this_thread::get_id()] {
        if (std::this_thread::get_id() != from) returned->wait(false);
        task();
      });
  returned->store(true);
  returned->notify_all();
}

}  // namespace dovetail::gpu
