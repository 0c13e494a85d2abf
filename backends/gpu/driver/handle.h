// Owners of OpenCL's objects, see backends/common/opencl.
#ifndef DOVETAIL_BACKENDS_GPU_DRIVER_HANDLE_H_
#define DOVETAIL_BACKENDS_GPU_DRIVER_HANDLE_H_

#include "dovetail/backends/common/opencl/handle.h"
#include "dovetail/backends/gpu/driver/cl_api.h"

namespace dovetail::gpu {

using opencl::ClHandle;
using opencl::CommandQueue;
using opencl::Context;
using opencl::Event;
using opencl::Kernel;
using opencl::Mem;
using opencl::Program;

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_DRIVER_HANDLE_H_
