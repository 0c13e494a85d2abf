// Setting of a kernel's arguments.
#ifndef DOVETAIL_BACKENDS_GPU_PROGRAM_KERNEL_ARGUMENTS_H_
#define DOVETAIL_BACKENDS_GPU_PROGRAM_KERNEL_ARGUMENTS_H_

#include <cstdint>
#include <type_traits>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "dovetail/backends/gpu/driver/handle.h"
#include "dovetail/backends/gpu/memory/buffer.h"

namespace dovetail::gpu {

// Argument `index`, for every launch from now on: see Kernel (handle.h) for
// threads and for who owns what is bound. kInternal, with the index and the
// kernel's name, where the kernel takes no such argument.
absl::Status SetArgument(const Kernel& kernel, int index, const Buffer& buffer);
// Any bytes: a number, a vector, a struct.
absl::Status SetArgument(const Kernel& kernel, int index, const void* value,
                         size_t bytes);
// Bytes of local memory.
absl::Status SetLocalArgument(const Kernel& kernel, int index, int64_t bytes);

// How many arguments the kernel takes.
absl::StatusOr<int> ArgumentCount(const Kernel& kernel);

// A number: of the kernel's type, as OpenCL compares sizes only.
template <typename T>
requires std::is_arithmetic_v<T> absl::Status SetArgument(const Kernel& kernel,
                                                          int index, T value) {
  return SetArgument(kernel, index, &value, sizeof(value));
}

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_PROGRAM_KERNEL_ARGUMENTS_H_
