// The OpenCL driver in the process that runs kernels.
#ifndef DOVETAIL_BACKENDS_VPU_CUSTOM_SHAVE_WORKER_CL_DRIVER_H_
#define DOVETAIL_BACKENDS_VPU_CUSTOM_SHAVE_WORKER_CL_DRIVER_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "dovetail/backends/common/opencl/cl_api.h"
#include "dovetail/backends/common/opencl/handle.h"

namespace dovetail::vpu {

// The first processor among all devices.
struct ClDriver {
  // kUnavailable where there is none, or where the compiler does not take the
  // prelude.
  static absl::StatusOr<ClDriver> Open(const std::string& prelude);

  // Device and driver, with their versions: who made a binary.
  std::string Name() const;

  // kInvalidArgument with the compiler's log.
  absl::StatusOr<opencl::Program> Build(const std::string& text) const;
  absl::StatusOr<opencl::Program> Load(absl::string_view binary) const;
  absl::StatusOr<std::string> Binary(const opencl::Program& program) const;
  // The function of that name.
  absl::StatusOr<opencl::Kernel> NewKernel(const opencl::Program& program,
                                           const char* entry) const;
  // Over the memory of the caller, which the driver uses as it is: all drivers
  // for processors do.
  absl::StatusOr<opencl::Mem> NewMemory(void* memory, size_t bytes) const;
  absl::StatusOr<opencl::CommandQueue> NewQueue() const;

  const opencl::ClApi* api = nullptr;
  cl_device_id device = nullptr;
  opencl::Context context;
};

}  // namespace dovetail::vpu

#endif  // DOVETAIL_BACKENDS_VPU_CUSTOM_SHAVE_WORKER_CL_DRIVER_H_
