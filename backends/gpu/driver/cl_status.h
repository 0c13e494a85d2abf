// Codes of OpenCL as absl::Status, see backends/common/opencl.
#ifndef DOVETAIL_BACKENDS_GPU_DRIVER_CL_STATUS_H_
#define DOVETAIL_BACKENDS_GPU_DRIVER_CL_STATUS_H_

#include "dovetail/backends/common/opencl/cl_status.h"

namespace dovetail::gpu {

using opencl::ClCodeName;
using opencl::ClStatus;

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_DRIVER_CL_STATUS_H_
