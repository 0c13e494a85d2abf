#include "dovetail/backends/gpu/remote/gpu_memory.h"

#include <utility>

#include "dovetail/core/tensor/tensor.h"

namespace dovetail::gpu {

GpuMemory::GpuMemory(std::string device, std::shared_ptr<const Buffer> buffer,
                     int64_t bytes, std::shared_ptr<Queue> queue)
    : device_(std::move(device)),
      buffer_(std::move(buffer)),
      bytes_(bytes),
      queue_(std::move(queue)) {}

absl::Status GpuMemory::CopyTo(const Tensor& host) const {
  return queue_->Read(*buffer_, 0, host.mutable_raw_data(), bytes_,
                      Queue::Wait::kYes);
}

absl::Status GpuMemory::CopyFrom(const Tensor& host) {
  return queue_->Write(*buffer_, 0, host.raw_data(), bytes_, Queue::Wait::kYes);
}

const GpuMemory* GpuMemoryOf(const DeviceMemory& memory,
                             const ClDevice& device) {
  const auto* const own = dynamic_cast<const GpuMemory*>(&memory);
  if (own == nullptr) return nullptr;
  const cl_context context = own->buffer()->device()->context().get();
  return context == device.context().get() ? own : nullptr;
}

}  // namespace dovetail::gpu
