// The functions of OpenCL, from a library that is opened when a program runs:
// machines without a driver need nothing of it.
#ifndef DOVETAIL_BACKENDS_COMMON_OPENCL_CL_API_H_
#define DOVETAIL_BACKENDS_COMMON_OPENCL_CL_API_H_

#include <memory>
#include <string>

#include "CL/cl.h"
#include "CL/cl_ext.h"
#include "absl/status/statusor.h"

// All that is used, each of OpenCL 1.2: `use(Finish)` for clFinish.
#define DOVETAIL_CL_FUNCTIONS(use)                                             \
  use(BuildProgram) use(CreateBuffer) use(CreateCommandQueue) use(             \
      CreateContext) use(CreateKernel) use(CreateProgramWithBinary)            \
      use(CreateProgramWithSource) use(CreateSubBuffer) use(                   \
          EnqueueCopyBuffer) use(EnqueueFillBuffer) use(EnqueueMapBuffer)      \
          use(EnqueueMarkerWithWaitList) use(EnqueueNDRangeKernel) use(        \
              EnqueueReadBuffer) use(EnqueueUnmapMemObject)                    \
              use(EnqueueWriteBuffer) use(Finish) use(Flush) use(              \
                  GetCommandQueueInfo) use(GetContextInfo) use(GetDeviceIDs) use(GetDeviceInfo)         \
                  use(GetEventInfo) use(GetEventProfilingInfo)                 \
                      use(GetKernelInfo) use(GetKernelWorkGroupInfo) use(      \
                          GetMemObjectInfo) use(GetPlatformIDs)                \
                          use(GetPlatformInfo) use(GetProgramBuildInfo) use(   \
                              GetProgramInfo) use(ReleaseCommandQueue)         \
                              use(ReleaseContext) use(ReleaseEvent) use(       \
                                  ReleaseKernel) use(ReleaseMemObject)         \
                                  use(ReleaseProgram) use(RetainCommandQueue)  \
                                      use(RetainContext) use(RetainEvent) use( \
                                          RetainKernel) use(RetainMemObject)   \
                                          use(RetainProgram)                   \
                                              use(SetEventCallback)            \
                                                  use(SetKernelArg)            \
                                                      use(WaitForEvents)

namespace dovetail::opencl {

// `api.Finish(queue)` is clFinish(queue). Thread-safe as OpenCL is: all calls
// but SetKernelArg on one kernel.
struct ClApi {
#define DOVETAIL_CL_MEMBER_(name) decltype(&::cl##name) name = nullptr;
  DOVETAIL_CL_FUNCTIONS(DOVETAIL_CL_MEMBER_)
#undef DOVETAIL_CL_MEMBER_
};

// The process's functions, of libOpenCL.so.1 or the library that the
// environment variable DOVETAIL_OPENCL_LIBRARY names. Opened once and never
// closed. kUnavailable where there is none, saying what was looked for and
// which drivers are registered; the next call then looks again. Thread-safe.
absl::StatusOr<const ClApi*> LoadClApi();

// The functions of one library, which stays open. kUnavailable where it cannot
// be opened or lacks a function.
absl::StatusOr<std::unique_ptr<const ClApi>> LoadClApiFrom(
    const std::string& library);

// For messages: the drivers (.icd files) that are registered with the loader,
// in the folder that OCL_ICD_VENDORS names or in /etc/OpenCL/vendors.
std::string RegisteredDrivers();

}  // namespace dovetail::opencl

#endif  // DOVETAIL_BACKENDS_COMMON_OPENCL_CL_API_H_
