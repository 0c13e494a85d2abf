#include "dovetail/testing/fakes/device/fake_memory.h"

#include "dovetail/core/base/status.h"

namespace dovetail {

absl::StatusOr<FakeMemory::Handle> FakeMemory::Upload(const Tensor& host) {
  DOVETAIL_RETURN_IF_ERROR(CheckRoom(host.byte_size()));
  DOVETAIL_ASSIGN_OR_RETURN(Tensor copy, host.Clone());
  ++host_copies_;
  return Adopt(std::move(copy));
}

absl::StatusOr<FakeMemory::Handle> FakeMemory::Allocate(ElementType type,
                                                        const Shape& shape) {
  DOVETAIL_ASSIGN_OR_RETURN(Tensor tensor, Tensor::Allocate(type, shape));
  return Adopt(std::move(tensor));
}

absl::Status FakeMemory::Copy(Handle from, Handle to) const {
  DOVETAIL_ASSIGN_OR_RETURN(const Tensor source, Read(from));
  DOVETAIL_ASSIGN_OR_RETURN(const Tensor target, Read(to));
  return target.CopyFrom(source);
}

absl::Status FakeMemory::Download(Handle handle, const Tensor& host) const {
  DOVETAIL_ASSIGN_OR_RETURN(const Tensor device, Read(handle));
  ++host_copies_;
  return host.CopyFrom(device);
}

absl::StatusOr<FakeMemory::BufferInfo> FakeMemory::Describe(
    Handle handle) const {
  DOVETAIL_ASSIGN_OR_RETURN(const Tensor device, Read(handle));
  return BufferInfo{device.type(), device.shape()};
}

void FakeMemory::Free(Handle handle) {
  std::lock_guard<std::mutex> lock(mutex_);
  const auto it = buffers_.find(handle);
  if (it == buffers_.end()) return;
  used_ -= it->second.byte_size();
  buffers_.erase(it);
}

int64_t FakeMemory::left() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return size_ - used_;
}

absl::StatusOr<Tensor> FakeMemory::Read(Handle handle) const {
  std::lock_guard<std::mutex> lock(mutex_);
  const auto it = buffers_.find(handle);
  if (it != buffers_.end()) return it->second;
  return NotFound("the device has no buffer ", handle);
}

absl::StatusOr<FakeMemory::Handle> FakeMemory::Adopt(Tensor tensor) {
  DOVETAIL_RETURN_IF_ERROR(CheckRoom(tensor.byte_size()));
  std::lock_guard<std::mutex> lock(mutex_);
  used_ += tensor.byte_size();
  buffers_[++last_] = std::move(tensor);
  return last_;
}

absl::Status FakeMemory::CheckRoom(int64_t bytes) const {
  const int64_t room = left();
  if (bytes <= room) return absl::OkStatus();
  return ResourceExhausted("device memory: asked for ", bytes, " bytes, ", room,
                           " of ", size_, " are left");
}

}  // namespace dovetail
