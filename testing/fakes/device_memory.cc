#include "dovetail/testing/fakes/device_memory.h"

#include "dovetail/core/base/status.h"

namespace dovetail {

absl::StatusOr<DeviceMemory::Handle> DeviceMemory::Upload(const Tensor& host) {
  DOVETAIL_RETURN_IF_ERROR(CheckRoom(host.byte_size()));
  DOVETAIL_ASSIGN_OR_RETURN(Tensor copy, host.Clone());
  return Adopt(std::move(copy));
}

absl::Status DeviceMemory::Download(Handle handle, const Tensor& host) const {
  DOVETAIL_ASSIGN_OR_RETURN(const Tensor device, Read(handle));
  return host.CopyFrom(device);
}

absl::StatusOr<DeviceMemory::BufferInfo> DeviceMemory::Describe(
    Handle handle) const {
  DOVETAIL_ASSIGN_OR_RETURN(const Tensor device, Read(handle));
  return BufferInfo{device.type(), device.shape()};
}

void DeviceMemory::Free(Handle handle) {
  std::lock_guard<std::mutex> lock(mutex_);
  const auto it = buffers_.find(handle);
  if (it == buffers_.end()) return;
  used_ -= it->second.byte_size();
  buffers_.erase(it);
}

int64_t DeviceMemory::left() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return size_ - used_;
}

absl::StatusOr<Tensor> DeviceMemory::Read(Handle handle) const {
  std::lock_guard<std::mutex> lock(mutex_);
  const auto it = buffers_.find(handle);
  if (it != buffers_.end()) return it->second;
  return NotFound("the device has no buffer ", handle);
}

absl::StatusOr<DeviceMemory::Handle> DeviceMemory::Adopt(Tensor tensor) {
  DOVETAIL_RETURN_IF_ERROR(CheckRoom(tensor.byte_size()));
  std::lock_guard<std::mutex> lock(mutex_);
  used_ += tensor.byte_size();
  buffers_[++last_] = std::move(tensor);
  return last_;
}

absl::Status DeviceMemory::CheckRoom(int64_t bytes) const {
  const int64_t room = left();
  if (bytes <= room) return absl::OkStatus();
  return ResourceExhausted("device memory: asked for ", bytes, " bytes, ", room,
                           " of ", size_, " are left");
}

}  // namespace dovetail
