// A kernel for SHAVEs, compiled by a driver for processors.
#ifndef DOVETAIL_BACKENDS_VPU_CUSTOM_SHAVE_SHAVE_PROGRAM_H_
#define DOVETAIL_BACKENDS_VPU_CUSTOM_SHAVE_SHAVE_PROGRAM_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "dovetail/backends/common/opencl/cl_api.h"
#include "dovetail/backends/common/opencl/handle.h"
#include "dovetail/extensions/custom_kernels/shave/kernel_file.h"
#include "dovetail/extensions/custom_kernels/shave/shave_layer.h"

namespace dovetail::vpu {

// Immutable; whatever is made of it keeps it.
class ShaveProgram {
 public:
  // kUnavailable where there is no OpenCL driver whose compiler takes numbers
  // of half precision; kInvalidArgument, with the compiler's log, for a source
  // that does not compile, that lacks the entry, or whose side kernels have
  // other parameters.
  static absl::StatusOr<std::shared_ptr<const ShaveProgram>> Build(
      const ShaveKernel& kernel);

  // Of the entry, in their order.
  const std::vector<std::string>& parameters() const { return parameters_; }
  const opencl::ClApi& api() const { return program_.api(); }
  const opencl::Context& context() const { return context_; }
  cl_device_id device() const { return device_; }

  // Of the whole work of a group: its side kernels before and behind it. Behind
  // the parameters it has one more, the memory of a ShaveControl.
  absl::StatusOr<opencl::Kernel> NewKernel() const;

  // The kernel as a file that stands in the place of its sources.
  absl::StatusOr<std::string> File() const;

 private:
  ShaveProgram() = default;

  opencl::Context context_;
  opencl::Program program_;
  cl_device_id device_ = nullptr;
  std::vector<std::string> parameters_;
  ShaveKernelFile file_;  // without a binary
};

}  // namespace dovetail::vpu

#endif  // DOVETAIL_BACKENDS_VPU_CUSTOM_SHAVE_SHAVE_PROGRAM_H_
