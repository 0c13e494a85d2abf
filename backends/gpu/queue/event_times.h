// When a command was queued and ran.
#ifndef DOVETAIL_BACKENDS_GPU_QUEUE_EVENT_TIMES_H_
#define DOVETAIL_BACKENDS_GPU_QUEUE_EVENT_TIMES_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "dovetail/backends/gpu/driver/handle.h"

namespace dovetail::gpu {

// Nanoseconds of the device's clock.
struct EventTimes {
  int64_t queued = 0;
  int64_t submitted = 0;
  int64_t start = 0;
  int64_t end = 0;
};

// Of a command that is complete. kFailedPrecondition before that, and for one
// of a queue without profiling.
absl::StatusOr<EventTimes> TimesOf(const Event& event);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_QUEUE_EVENT_TIMES_H_
