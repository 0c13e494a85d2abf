#include "dovetail/backends/gpu/plan/device_constants.h"

#include "dovetail/core/base/status.h"

namespace dovetail::gpu {

absl::StatusOr<std::shared_ptr<const Buffer>> DeviceConstants::Get(
    const void* data, int64_t bytes) {
  std::lock_guard<std::mutex> lock(mutex_);
  std::weak_ptr<const Buffer>& entry = buffers_[{data, bytes}];
  if (std::shared_ptr<const Buffer> found = entry.lock()) return found;
  auto buffer = Buffer::AroundConstant(device_, data, bytes);
  if (!buffer.ok()) buffer = Buffer::WithData(device_, data, bytes);
  DOVETAIL_RETURN_IF_ERROR(buffer.status());
  auto shared = std::make_shared<const Buffer>(*std::move(buffer));
  entry = shared;
  return shared;
}

}  // namespace dovetail::gpu
