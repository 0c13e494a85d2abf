// Memory of a device.
#ifndef DOVETAIL_BACKENDS_GPU_MEMORY_BUFFER_H_
#define DOVETAIL_BACKENDS_GPU_MEMORY_BUFFER_H_

#include <cstdint>
#include <memory>

#include "absl/status/statusor.h"
#include "dovetail/backends/gpu/driver/device.h"
#include "dovetail/backends/gpu/driver/handle.h"

namespace dovetail::gpu {

// One allocation, freed with its last owner; movable.
class Buffer {
 public:
  Buffer() = default;

  // `bytes` is above 0. kResourceExhausted says how much was asked for.
  static absl::StatusOr<Buffer> Allocate(std::shared_ptr<ClDevice> device,
                                         int64_t bytes);
  // With a copy of the bytes.
  static absl::StatusOr<Buffer> WithData(std::shared_ptr<ClDevice> device,
                                         const void* data, int64_t bytes);
  // The host's memory itself, which the caller keeps longer. kUnimplemented
  // where the device has memory of its own, or wants another alignment.
  static absl::StatusOr<Buffer> AroundHost(std::shared_ptr<ClDevice> device,
                                           void* data, int64_t bytes);

  cl_mem get() const { return memory_.get(); }
  int64_t bytes() const { return bytes_; }

 private:
  static absl::StatusOr<Buffer> Create(std::shared_ptr<ClDevice> device,
                                       cl_mem_flags flags, void* data,
                                       int64_t bytes);

  std::shared_ptr<ClDevice> device_;
  ClHandle<cl_mem> memory_;
  int64_t bytes_ = 0;
};

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_MEMORY_BUFFER_H_
