#include "dovetail/backends/gpu/memory/buffer.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "dovetail/backends/gpu/driver/cl_status.h"
#include "dovetail/core/base/status.h"

namespace dovetail::gpu {
namespace {

constexpr int64_t kVectorBytes = 64;  // a float16

absl::Status CheckSize(const ClDevice& device, int64_t bytes) {
  const DeviceTraits& traits = device.traits();
  if (bytes < 0) return InvalidArgument("a buffer of ", bytes, " bytes");
  if (bytes > traits.max_allocation_bytes) {
    return ResourceExhausted("a buffer of ", bytes, " bytes; '", traits.name,
                             "' takes ", traits.max_allocation_bytes,
                             " bytes at most in one");
  }
  return absl::OkStatus();
}

std::string CreateCall(const ClDevice& device, int64_t bytes) {
  return absl::StrCat("clCreateBuffer of ", bytes, " bytes on '",
                      device.traits().name, "', which has ",
                      device.traits().memory_bytes, " and holds ",
                      device.memory().in_use());
}

bool IsMultiple(int64_t value, int64_t of) { return value % of == 0; }

}  // namespace

class Buffer::Counted {
 public:
  Counted(std::shared_ptr<ClDevice> device, int64_t bytes)
      : device_(std::move(device)), bytes_(bytes) {
    device_->memory().Add(bytes_);
  }
  ~Counted() { device_->memory().Remove(bytes_); }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;

 private:
  std::shared_ptr<ClDevice> device_;
  int64_t bytes_;
};

Buffer::Buffer(std::shared_ptr<ClDevice> device, Mem mem, int64_t bytes,
               std::shared_ptr<const Counted> counted)
    : device_(std::move(device)),
      mem_(std::move(mem)),
      bytes_(bytes),
      counted_(std::move(counted)) {}

absl::StatusOr<Buffer> Buffer::Create(std::shared_ptr<ClDevice> device,
                                      cl_mem_flags flags, void* data,
                                      int64_t bytes) {
  const ClApi& api = device->api();
  cl_int code = CL_SUCCESS;
  Mem mem(api, api.CreateBuffer(device->context().get(), flags,
                                static_cast<size_t>(bytes), data, &code));
  if (code != CL_SUCCESS) return ClStatus(code, CreateCall(*device, bytes));
  std::shared_ptr<const Counted> counted;
  if ((flags & CL_MEM_USE_HOST_PTR) == 0) {
    counted = std::make_shared<const Counted>(device, bytes);
  }
  return Buffer(std::move(device), std::move(mem), bytes, std::move(counted));
}

absl::StatusOr<Buffer> Buffer::Allocate(std::shared_ptr<ClDevice> device,
                                        int64_t bytes) {
  DOVETAIL_RETURN_IF_ERROR(CheckSize(*device, bytes));
  // OpenCL has no empty buffers.
  const int64_t allocated = std::max<int64_t>(bytes, 1);
  auto buffer =
      Create(std::move(device), CL_MEM_READ_WRITE, nullptr, allocated);
  if (buffer.ok()) buffer->bytes_ = bytes;
  return buffer;
}

absl::StatusOr<Buffer> Buffer::WithData(std::shared_ptr<ClDevice> device,
                                        const void* data, int64_t bytes) {
  if (bytes == 0) return Allocate(std::move(device), 0);
  DOVETAIL_RETURN_IF_ERROR(CheckSize(*device, bytes));
  // The driver only reads what it copies.
  return Create(std::move(device), CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                const_cast<void*>(data), bytes);
}

absl::StatusOr<Buffer> Buffer::AroundHost(std::shared_ptr<ClDevice> device,
                                          void* data, int64_t bytes) {
  return Around(std::move(device), CL_MEM_READ_WRITE, data, bytes,
                HostAlignment());
}

absl::StatusOr<Buffer> Buffer::AroundConstant(std::shared_ptr<ClDevice> device,
                                              const void* data, int64_t bytes) {
  const HostAlignment alignment = device->traits().is_cpu
                                      ? HostAlignment{kVectorBytes, 1}
                                      : HostAlignment();
  return Around(std::move(device), CL_MEM_READ_ONLY, const_cast<void*>(data),
                bytes, alignment);
}

absl::StatusOr<Buffer> Buffer::Around(std::shared_ptr<ClDevice> device,
                                      cl_mem_flags access, void* data,
                                      int64_t bytes,
                                      const HostAlignment& alignment) {
  DOVETAIL_RETURN_IF_ERROR(CheckSize(*device, bytes));
  if (!device->traits().has_unified_memory) {
    return Unimplemented("'", device->traits().name,
                         "' has memory of its own: it copies the host's");
  }
  const auto address = static_cast<int64_t>(reinterpret_cast<uintptr_t>(data));
  if (bytes == 0 || !IsMultiple(address, alignment.address) ||
      !IsMultiple(bytes, alignment.size)) {
    return Unimplemented("'", device->traits().name, "' copies ", bytes,
                         " bytes of the host unless they are a multiple of ",
                         alignment.size, " at a multiple of ",
                         alignment.address);
  }
  return Create(std::move(device), access | CL_MEM_USE_HOST_PTR, data, bytes);
}

absl::StatusOr<Buffer> Buffer::Share(std::shared_ptr<ClDevice> device,
                                     cl_mem mem) {
  const ClApi& api = device->api();
  size_t bytes = 0;
  cl_context context = nullptr;
  DOVETAIL_RETURN_IF_ERROR(ClStatus(
      api.GetMemObjectInfo(mem, CL_MEM_SIZE, sizeof(bytes), &bytes, nullptr),
      "clGetMemObjectInfo"));
  DOVETAIL_RETURN_IF_ERROR(
      ClStatus(api.GetMemObjectInfo(mem, CL_MEM_CONTEXT, sizeof(context),
                                    &context, nullptr),
               "clGetMemObjectInfo"));
  if (context != device->context().get()) {
    return InvalidArgument("the cl_mem is of another OpenCL context than '",
                           device->traits().name, "' was made with");
  }
  return Buffer(std::move(device), Mem::Retained(api, mem),
                static_cast<int64_t>(bytes), nullptr);
}

absl::StatusOr<Buffer> Buffer::Part(int64_t offset, int64_t bytes) const {
  const int64_t alignment = device_->traits().base_alignment_bytes;
  if (offset < 0 || bytes < 1 || bytes > bytes_ || offset > bytes_ - bytes) {
    return InvalidArgument("bytes ", offset, " to ", offset + bytes,
                           " of a buffer that has ", bytes_);
  }
  if (!IsMultiple(offset, alignment)) {
    return InvalidArgument("part of a buffer at byte ", offset, "; '",
                           device_->traits().name, "' takes multiples of ",
                           alignment);
  }
  const cl_buffer_region region = {static_cast<size_t>(offset),
                                   static_cast<size_t>(bytes)};
  cl_int code = CL_SUCCESS;
  const ClApi& api = device_->api();
  Mem part(api, api.CreateSubBuffer(mem_.get(), 0, CL_BUFFER_CREATE_TYPE_REGION,
                                    &region, &code));
  DOVETAIL_RETURN_IF_ERROR(ClStatus(code, "clCreateSubBuffer"));
  return Buffer(device_, std::move(part), bytes, counted_);
}

}  // namespace dovetail::gpu
