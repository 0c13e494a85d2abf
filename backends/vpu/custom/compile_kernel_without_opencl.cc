// Of builds that leave OpenCL out.
#include "dovetail/backends/vpu/custom/compile_kernel.h"
#include "dovetail/core/base/status.h"

namespace dovetail::vpu {

absl::StatusOr<CompiledKernel> CompileKernel(const std::string& path,
                                             const std::string&) {
  return Unavailable(
      path, ": custom kernels need OpenCL, which this build ",
      "leaves out; build with --//backends/vpu:with_opencl=true");
}

}  // namespace dovetail::vpu
