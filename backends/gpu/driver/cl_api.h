// The functions of OpenCL, from a library that is loaded when they are first
// needed: programs start where there is none.
#ifndef DOVETAIL_BACKENDS_GPU_DRIVER_CL_API_H_
#define DOVETAIL_BACKENDS_GPU_DRIVER_CL_API_H_

#include <string>

#include "CL/cl.h"
#include "absl/status/statusor.h"

namespace dovetail::gpu {

// Every function that the backend calls, without the prefix "cl".
#define DOVETAIL_CL_FUNCTIONS(X) \
  X(GetPlatformIDs)              \
  X(GetPlatformInfo)             \
  X(GetDeviceIDs)                \
  X(GetDeviceInfo)               \
  X(CreateContext)               \
  X(RetainContext)               \
  X(ReleaseContext)              \
  X(CreateCommandQueue)          \
  X(RetainCommandQueue)          \
  X(ReleaseCommandQueue)         \
  X(CreateBuffer)                \
  X(RetainMemObject)             \
  X(ReleaseMemObject)            \
  X(GetMemObjectInfo)            \
  X(CreateProgramWithSource)     \
  X(CreateProgramWithBinary)     \
  X(BuildProgram)                \
  X(GetProgramBuildInfo)         \
  X(GetProgramInfo)              \
  X(RetainProgram)               \
  X(ReleaseProgram)              \
  X(CreateKernel)                \
  X(RetainKernel)                \
  X(ReleaseKernel)               \
  X(SetKernelArg)                \
  X(EnqueueNDRangeKernel)        \
  X(EnqueueReadBuffer)           \
  X(EnqueueWriteBuffer)          \
  X(EnqueueCopyBuffer)           \
  X(EnqueueMapBuffer)            \
  X(EnqueueUnmapMemObject)       \
  X(EnqueueMarkerWithWaitList)   \
  X(SetEventCallback)            \
  X(GetEventProfilingInfo)       \
  X(WaitForEvents)               \
  X(RetainEvent)                 \
  X(ReleaseEvent)                \
  X(Flush)                       \
  X(Finish)

struct ClApi {
#define DOVETAIL_CL_MEMBER(name) decltype(&::cl##name) name;
  DOVETAIL_CL_FUNCTIONS(DOVETAIL_CL_MEMBER)
#undef DOVETAIL_CL_MEMBER
};

// The library that DOVETAIL_OPENCL_LIBRARY names, else libOpenCL.so.1. Loaded
// once a process. kUnavailable says what was looked for. Thread-safe.
absl::StatusOr<const ClApi*> LoadClApi();

// Which drivers the loader would find, for messages: the ICD files.
std::string IcdFilesText();

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_DRIVER_CL_API_H_
