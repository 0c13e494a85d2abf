#include "dovetail/backends/gpu/driver/kernel_name.h"

#include <algorithm>

namespace dovetail::gpu {

std::string KernelName(const Kernel& kernel) {
  const ClApi& api = kernel.api();
  size_t size = 0;
  if (api.GetKernelInfo(kernel.get(), CL_KERNEL_FUNCTION_NAME, 0, nullptr,
                        &size) != CL_SUCCESS) {
    return "?";
  }
  std::string name(size, '\0');
  api.GetKernelInfo(kernel.get(), CL_KERNEL_FUNCTION_NAME, size, name.data(),
                    nullptr);
  name.resize(std::min(name.size(), name.find('\0')));
  return name;
}

}  // namespace dovetail::gpu
