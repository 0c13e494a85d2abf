// Files of custom kernels, each read once.
#ifndef DOVETAIL_BACKENDS_GPU_CUSTOM_KERNEL_FILES_H_
#define DOVETAIL_BACKENDS_GPU_CUSTOM_KERNEL_FILES_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "dovetail/extensions/custom_kernels/custom_kernel.h"

namespace dovetail::gpu {

// As ReadCustomKernels. The process remembers the last few files, and reads one
// again when it, or a source that it names, or a file that this includes, is no
// longer the file that it was, or has only just changed. Thread-safe.
absl::StatusOr<std::shared_ptr<const std::vector<CustomKernel>>> KernelsOfFile(
    const std::string& path);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_CUSTOM_KERNEL_FILES_H_
