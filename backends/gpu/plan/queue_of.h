// The queue of a context.
#ifndef DOVETAIL_BACKENDS_GPU_PLAN_QUEUE_OF_H_
#define DOVETAIL_BACKENDS_GPU_PLAN_QUEUE_OF_H_

#include <memory>

#include "absl/status/statusor.h"
#include "dovetail/backends/common/plan/run_environment.h"
#include "dovetail/backends/gpu/driver/device.h"
#include "dovetail/backends/gpu/queue/queue.h"

namespace dovetail::gpu {

// Made at the first call for an environment, with times of its commands where
// the environment has a clock; in order, so what is enqueued needs no events.
absl::StatusOr<Queue*> QueueOf(RunEnvironment& environment,
                               const std::shared_ptr<ClDevice>& device);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_PLAN_QUEUE_OF_H_
