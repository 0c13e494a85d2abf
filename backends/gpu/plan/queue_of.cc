#include "dovetail/backends/gpu/plan/queue_of.h"

#include <utility>

#include "dovetail/core/base/status.h"

namespace dovetail::gpu {
namespace {

class QueueState : public LibraryState {
 public:
  explicit QueueState(std::unique_ptr<Queue> queue) : queue(std::move(queue)) {}
  const std::unique_ptr<Queue> queue;
};

}  // namespace

absl::StatusOr<Queue*> QueueOf(RunEnvironment& environment,
                               const std::shared_ptr<ClDevice>& device) {
  std::unique_ptr<LibraryState>& state = environment.library_state();
  if (state == nullptr) {
    DOVETAIL_ASSIGN_OR_RETURN(
        std::unique_ptr<Queue> queue,
        Queue::Create(device, /*profiling=*/environment.clock() != nullptr));
    state = std::make_unique<QueueState>(std::move(queue));
  }
  return static_cast<QueueState&>(*state).queue.get();
}

}  // namespace dovetail::gpu
