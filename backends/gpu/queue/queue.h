// A queue of commands for a device.
#ifndef DOVETAIL_BACKENDS_GPU_QUEUE_QUEUE_H_
#define DOVETAIL_BACKENDS_GPU_QUEUE_QUEUE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "dovetail/backends/gpu/driver/device.h"
#include "dovetail/backends/gpu/driver/handle.h"
#include "dovetail/backends/gpu/memory/buffer.h"

namespace dovetail::gpu {

// The work items of a launch. `local` divides `global`; 0: the driver chooses.
struct NdRange {
  int dims = 1;
  size_t global[3] = {1, 1, 1};
  size_t local[3] = {0, 0, 0};
};

// By the device's clock.
struct EventTimes {
  int64_t queued_ns = 0, submitted_ns = 0, start_ns = 0, end_ns = 0;
};

enum class MapAccess { kRead, kWrite };

// Commands run in order, one after the other. Waiting is what costs, some 50 us
// where drivers let their threads sleep: so one waits once an inference. One
// thread at a time; movable.
class Queue {
 public:
  static absl::StatusOr<Queue> Create(std::shared_ptr<ClDevice> device,
                                      bool profiling);

  // `event`, which may be null, then tells times.
  absl::Status Launch(const Kernel& kernel, const NdRange& range,
                      Event* event = nullptr);
  // These return at once; the host's memory is in use until Finish.
  absl::Status Write(const Buffer& buffer, int64_t offset, const void* data,
                     int64_t bytes);
  absl::Status Read(const Buffer& buffer, int64_t offset, void* data,
                    int64_t bytes);
  absl::Status Copy(const Buffer& from, const Buffer& to, int64_t bytes);
  // Waits for all before it.
  absl::StatusOr<void*> Map(const Buffer& buffer, int64_t offset, int64_t bytes,
                            MapAccess access);
  absl::Status Unmap(const Buffer& buffer, void* pointer);
  absl::Status Flush();
  absl::Status Finish();

  // Of a command that has ended.
  absl::StatusOr<EventTimes> TimesOf(const Event& event) const;

 private:
  Queue(std::shared_ptr<ClDevice> device, ClHandle<cl_command_queue> queue)
      : device_(std::move(device)), queue_(std::move(queue)) {}

  std::shared_ptr<ClDevice> device_;
  ClHandle<cl_command_queue> queue_;
};

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_QUEUE_QUEUE_H_
