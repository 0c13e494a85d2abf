// Custom kernels as bytes, for exports.
#ifndef DOVETAIL_EXTENSIONS_CUSTOM_KERNELS_KERNEL_BYTES_H_
#define DOVETAIL_EXTENSIONS_CUSTOM_KERNELS_KERNEL_BYTES_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "dovetail/extensions/custom_kernels/custom_kernel.h"

namespace dovetail {

// All that they say; other kernels are other bytes.
std::string WriteKernelBytes(const std::vector<CustomKernel>& kernels);
// The same kernels. kDataLoss for bytes that were not written so.
absl::StatusOr<std::vector<CustomKernel>> ReadKernelBytes(
    absl::string_view bytes);

}  // namespace dovetail

#endif  // DOVETAIL_EXTENSIONS_CUSTOM_KERNELS_KERNEL_BYTES_H_
