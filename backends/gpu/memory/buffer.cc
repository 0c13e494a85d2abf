#include "dovetail/backends/gpu/memory/buffer.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "dovetail/backends/gpu/driver/cl_status.h"
#include "dovetail/core/base/status.h"

namespace dovetail::gpu {

absl::StatusOr<Buffer> Buffer::Create(std::shared_ptr<ClDevice> device,
                                      cl_mem_flags flags, void* data,
                                      int64_t bytes) {
  const DeviceTraits& traits = device->traits();
  if (bytes > traits.max_allocation_bytes) {
    return ResourceExhausted("the device ", traits.name, " gives at most ",
                             traits.max_allocation_bytes,
                             " bytes at a time; want ", bytes);
  }
  cl_int code = CL_SUCCESS;
  Buffer buffer;
  buffer.memory_ = ClHandle<cl_mem>(
      &device->api(),
      device->api().CreateBuffer(device->context(), flags, bytes, data, &code));
  DOVETAIL_RETURN_IF_ERROR(
      Annotate(ClStatus(code, "clCreateBuffer"),
               absl::StrCat(bytes, " bytes on ", traits.name)));
  buffer.bytes_ = bytes;
  buffer.device_ = std::move(device);
  return buffer;
}

absl::StatusOr<Buffer> Buffer::Allocate(std::shared_ptr<ClDevice> device,
                                        int64_t bytes) {
  return Create(std::move(device), CL_MEM_READ_WRITE, nullptr, bytes);
}

absl::StatusOr<Buffer> Buffer::WithData(std::shared_ptr<ClDevice> device,
                                        const void* data, int64_t bytes) {
  return Create(std::move(device), CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                const_cast<void*>(data), bytes);
}

absl::StatusOr<Buffer> Buffer::AroundHost(std::shared_ptr<ClDevice> device,
                                          void* data, int64_t bytes) {
  const DeviceTraits& traits = device->traits();
  // Vectors of 16 floats are read at multiples of their size.
  constexpr uintptr_t kAlignment = 64;
  if (!traits.has_unified_memory ||
      reinterpret_cast<uintptr_t>(data) % kAlignment != 0) {
    return Unimplemented(traits.name, " does not use that memory of the host");
  }
  return Create(std::move(device), CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR,
                data, bytes);
}

}  // namespace dovetail::gpu
