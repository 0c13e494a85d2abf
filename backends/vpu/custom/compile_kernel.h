// Kernels compiled offline.
#ifndef DOVETAIL_BACKENDS_VPU_CUSTOM_COMPILE_KERNEL_H_
#define DOVETAIL_BACKENDS_VPU_CUSTOM_COMPILE_KERNEL_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace dovetail::vpu {

struct CompiledKernel {
  std::string entry;
  std::vector<std::string> parameters;
  std::string file;  // what stands in the place of the source
};

// A kernel of a source file, with what it includes. Empty `entry`: the only
// one, side kernels aside. kInvalidArgument, with file and line of the source,
// for what does not compile, and for a source with several kernels, all of
// which it names; kNotFound for a file that is not there; kUnavailable without
// OpenCL, in the build or on the machine.
absl::StatusOr<CompiledKernel> CompileKernel(const std::string& path,
                                             const std::string& entry);

}  // namespace dovetail::vpu

#endif  // DOVETAIL_BACKENDS_VPU_CUSTOM_COMPILE_KERNEL_H_
