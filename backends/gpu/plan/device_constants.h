// Constants in device memory, one copy for all plans of a compiled model.
#ifndef DOVETAIL_BACKENDS_GPU_PLAN_DEVICE_CONSTANTS_H_
#define DOVETAIL_BACKENDS_GPU_PLAN_DEVICE_CONSTANTS_H_

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "absl/status/statusor.h"
#include "dovetail/backends/gpu/driver/device.h"
#include "dovetail/backends/gpu/memory/buffer.h"

namespace dovetail::gpu {

// Thread-safe.
class DeviceConstants {
 public:
  explicit DeviceConstants(std::shared_ptr<ClDevice> device)
      : device_(std::move(device)) {}

  // A buffer with those bytes: the host's memory itself where the device reads
  // that, else a copy. The caller keeps the host's memory as long as the
  // buffer. kResourceExhausted when the device has no room.
  absl::StatusOr<std::shared_ptr<const Buffer>> Get(const void* data,
                                                    int64_t bytes);

 private:
  using Key = std::pair<const void*, int64_t>;

  const std::shared_ptr<ClDevice> device_;
  std::mutex mutex_;  // guards what follows
  std::map<Key, std::weak_ptr<const Buffer>> buffers_;
};

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_PLAN_DEVICE_CONSTANTS_H_
