// The functions of OpenCL, see backends/common/opencl.
#ifndef DOVETAIL_BACKENDS_GPU_DRIVER_CL_API_H_
#define DOVETAIL_BACKENDS_GPU_DRIVER_CL_API_H_

#include "dovetail/backends/common/opencl/cl_api.h"

namespace dovetail::gpu {

using opencl::ClApi;
using opencl::LoadClApi;
using opencl::LoadClApiFrom;
using opencl::RegisteredDrivers;

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_DRIVER_CL_API_H_
