// Kernels that are built for a device.
#ifndef DOVETAIL_BACKENDS_GPU_PROGRAM_CL_PROGRAM_H_
#define DOVETAIL_BACKENDS_GPU_PROGRAM_CL_PROGRAM_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "dovetail/backends/gpu/driver/device.h"
#include "dovetail/backends/gpu/driver/handle.h"
#include "dovetail/backends/gpu/program/kernel_source.h"

namespace dovetail::gpu {

struct BuildOptions {
  std::string flags = "-cl-std=CL1.2 -cl-mad-enable";
  std::string cache_dir;  // of binaries; empty: none
};

// Immutable; thread-safe.
class ClProgram {
 public:
  // Builds all kernels together, equal ones once. kInternal for text that the
  // driver refuses, with the driver's log.
  static absl::StatusOr<std::shared_ptr<const ClProgram>> Build(
      std::shared_ptr<ClDevice> device, absl::Span<const KernelSource> sources,
      const BuildOptions& options);

  // A new object for `sources[i]`, with arguments of its own.
  absl::StatusOr<Kernel> NewKernel(int i) const;

 private:
  explicit ClProgram(std::shared_ptr<ClDevice> device)
      : device_(std::move(device)) {}

  const std::shared_ptr<ClDevice> device_;
  BuiltProgram program_;
  std::vector<std::string> names_;  // of the kernels, by source
};

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_PROGRAM_CL_PROGRAM_H_
