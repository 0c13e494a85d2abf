// Memory of an OpenCL device behind a tensor.
#ifndef DOVETAIL_BACKENDS_GPU_REMOTE_GPU_MEMORY_H_
#define DOVETAIL_BACKENDS_GPU_REMOTE_GPU_MEMORY_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "dovetail/backends/gpu/memory/buffer.h"
#include "dovetail/backends/gpu/queue/queue.h"
#include "dovetail/core/tensor/device_memory.h"

namespace dovetail::gpu {

// Its handle is the cl_mem.
class GpuMemory : public DeviceMemory {
 public:
  // `queue` copies; `bytes` of the buffer, which may have more.
  GpuMemory(std::string device, std::shared_ptr<const Buffer> buffer,
            int64_t bytes, std::shared_ptr<Queue> queue);

  absl::string_view device() const override { return device_; }
  void* handle() const override { return buffer_->mem().get(); }
  int64_t byte_size() const override { return bytes_; }
  absl::Status CopyTo(const Tensor& host) const override;
  absl::Status CopyFrom(const Tensor& host) override;

  const std::shared_ptr<const Buffer>& buffer() const { return buffer_; }

 private:
  const std::string device_;
  const std::shared_ptr<const Buffer> buffer_;
  const int64_t bytes_;
  const std::shared_ptr<Queue> queue_;
};

// The memory if kernels of the device can use it, which are those of its
// OpenCL context; else null.
const GpuMemory* GpuMemoryOf(const DeviceMemory& memory,
                             const ClDevice& device);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_REMOTE_GPU_MEMORY_H_
