// Memory that is not the host's: a buffer of an accelerator behind a tensor.
#ifndef DOVETAIL_CORE_TENSOR_DEVICE_MEMORY_H_
#define DOVETAIL_CORE_TENSOR_DEVICE_MEMORY_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace dovetail {

class Tensor;

// One allocation, as large as the packed elements of the tensor that is made of
// it (Tensor::OnDevice). Implemented by backends; freed with the last tensor
// that refers to it. Thread-safe as the device's own buffers are: whoever writes
// makes sure that nobody else reads.
class DeviceMemory {
 public:
  virtual ~DeviceMemory() = default;

  // "GPU.0": whose memory it is. The view lives as long as the memory.
  virtual absl::string_view device() const = 0;
  // What the device's own interface calls it, such as a cl_mem.
  virtual void* handle() const = 0;
  // Bytes of the allocation.
  virtual int64_t byte_size() const = 0;

  // Blocking copies of all elements to and from a tensor of the host, which has
  // as many bytes. kUnavailable when the device is lost.
  virtual absl::Status CopyTo(const Tensor& host) const = 0;
  virtual absl::Status CopyFrom(const Tensor& host) = 0;
};

}  // namespace dovetail

#endif  // DOVETAIL_CORE_TENSOR_DEVICE_MEMORY_H_
