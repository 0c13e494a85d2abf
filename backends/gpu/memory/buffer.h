// Memory of an OpenCL device.
#ifndef DOVETAIL_BACKENDS_GPU_MEMORY_BUFFER_H_
#define DOVETAIL_BACKENDS_GPU_MEMORY_BUFFER_H_

#include <cstdint>
#include <memory>

#include "CL/cl.h"
#include "absl/status/statusor.h"
#include "dovetail/backends/gpu/driver/device.h"
#include "dovetail/backends/gpu/driver/handle.h"

namespace dovetail::gpu {

// Bytes of which address and size of AroundHost's memory are multiples.
struct HostAlignment {
  int64_t address = 4096;  // a page
  int64_t size = 64;       // a cache line
};

// One allocation, part of one, or memory of somebody else; nothing by default,
// and only to be assigned or destroyed after a move. It keeps the device, and
// is freed with the last Mem that refers to it. What is in it may be used by
// several threads as long as none writes; the object itself is for one thread
// at a time.
//
// The makers take the device and bytes; a buffer of no bytes is allowed.
// kInvalidArgument for a negative size, kResourceExhausted, with the size and
// what the device has, where there is no room: drivers may also find that out
// at the first launch that uses the buffer.
class Buffer {
 public:
  // Of undefined content.
  static absl::StatusOr<Buffer> Allocate(std::shared_ptr<ClDevice> device,
                                         int64_t bytes);
  // A copy of `data`.
  static absl::StatusOr<Buffer> WithData(std::shared_ptr<ClDevice> device,
                                         const void* data, int64_t bytes);
  // The host's memory itself, which outlives the buffer and is looked at by the
  // host only while the buffer is mapped. kUnimplemented where the device would
  // copy it: no unified memory, or an address or size that it does not take,
  // see HostAlignment().
  static absl::StatusOr<Buffer> AroundHost(std::shared_ptr<ClDevice> device,
                                           void* data, int64_t bytes);
  // The same for kernels that only read it. A processor takes any size, at a
  // multiple of the widest vector.
  static absl::StatusOr<Buffer> AroundConstant(std::shared_ptr<ClDevice> device,
                                               const void* data, int64_t bytes);
  // A reference to an application's buffer of the device's context:
  // kInvalidArgument for one of another context.
  static absl::StatusOr<Buffer> Share(std::shared_ptr<ClDevice> device,
                                      cl_mem mem);

  Buffer() = default;
  Buffer(Buffer&&) noexcept = default;
  Buffer& operator=(Buffer&&) noexcept = default;

  // Part of this buffer, which it keeps alive. `offset` is a multiple of the
  // device's base_alignment_bytes, bytes are one at least: kInvalidArgument.
  absl::StatusOr<Buffer> Part(int64_t offset, int64_t bytes) const;

  int64_t bytes() const { return bytes_; }
  const std::shared_ptr<ClDevice>& device() const { return device_; }
  const Mem& mem() const { return mem_; }
  explicit operator bool() const { return static_cast<bool>(mem_); }

 private:
  // What an allocation adds to the device's MemoryCounter.
  class Counted;

  Buffer(std::shared_ptr<ClDevice> device, Mem mem, int64_t bytes,
         std::shared_ptr<const Counted> counted);
  static absl::StatusOr<Buffer> Create(std::shared_ptr<ClDevice> device,
                                       cl_mem_flags flags, void* data,
                                       int64_t bytes);
  static absl::StatusOr<Buffer> Around(std::shared_ptr<ClDevice> device,
                                       cl_mem_flags access, void* data,
                                       int64_t bytes,
                                       const HostAlignment& alignment);

  std::shared_ptr<ClDevice> device_;
  Mem mem_;
  int64_t bytes_ = 0;
  std::shared_ptr<const Counted> counted_;  // shared with parts
};

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_MEMORY_BUFFER_H_
