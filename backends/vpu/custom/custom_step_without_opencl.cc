// Of builds that leave OpenCL out.
#include "dovetail/backends/vpu/custom/custom_step.h"
#include "dovetail/core/base/status.h"

namespace dovetail::vpu {

absl::StatusOr<std::shared_ptr<const CustomKernels>> CustomKernels::Compile(
    const ShaveLayer& layer, const Node&) {
  return Unavailable(layer.where, ": custom layer '", layer.name,
                     "': custom kernels need OpenCL, which this build leaves ",
                     "out; build with --//backends/vpu:with_opencl=true");
}

}  // namespace dovetail::vpu
