// Name of a kernel's function, for messages.
#ifndef DOVETAIL_BACKENDS_GPU_DRIVER_KERNEL_NAME_H_
#define DOVETAIL_BACKENDS_GPU_DRIVER_KERNEL_NAME_H_

#include <string>

#include "dovetail/backends/gpu/driver/handle.h"

namespace dovetail::gpu {

// "?" when the driver does not say it.
std::string KernelName(const Kernel& kernel);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_DRIVER_KERNEL_NAME_H_
