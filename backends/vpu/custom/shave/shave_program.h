// A kernel for SHAVEs, compiled by a driver for processors.
#ifndef DOVETAIL_BACKENDS_VPU_CUSTOM_SHAVE_SHAVE_PROGRAM_H_
#define DOVETAIL_BACKENDS_VPU_CUSTOM_SHAVE_SHAVE_PROGRAM_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "dovetail/backends/vpu/custom/shave/worker/shave_worker.h"
#include "dovetail/extensions/custom_kernels/shave/kernel_file.h"
#include "dovetail/extensions/custom_kernels/shave/shave_layer.h"

namespace dovetail::vpu {

// Any thread may call; whatever is made of it keeps it. Its kernel is the whole
// work of a group: the entry, with its side kernels before and behind it.
// Behind the parameters it has one more, the memory of its counts.
class ShaveProgram {
 public:
  // kUnavailable where there is no OpenCL driver whose compiler takes numbers
  // of half precision; kInvalidArgument, with the compiler's log, for a source
  // that does not compile, that lacks the entry, or whose side kernels have
  // other parameters.
  static absl::StatusOr<std::shared_ptr<const ShaveProgram>> Build(
      const ShaveKernel& kernel);

  ~ShaveProgram() { ShaveWorker::Shared().Forget(id_); }
  ShaveProgram(const ShaveProgram&) = delete;
  ShaveProgram& operator=(const ShaveProgram&) = delete;

  // Of the entry, in their order.
  const std::vector<std::string>& parameters() const { return parameters_; }
  // The worker's number for it.
  uint64_t id() const { return id_; }

  // The worker's process has it then. Errors as above.
  absl::Status Ready(ShaveWorker::Turn& turn) const;

  // The kernel as a file that stands in the place of its sources.
  absl::StatusOr<std::string> File() const;

 private:
  ShaveProgram() : id_(ShaveWorker::Shared().NewId()) {}

  const uint64_t id_;
  std::vector<std::string> parameters_;
  ShaveKernelFile file_;  // the binary only where it is of this driver
  // What the driver compiles: with counts, and as the source is.
  std::string counted_, plain_;
  mutable uint64_t process_ = 0;  // that has it; whose turn it is may write
};

}  // namespace dovetail::vpu

#endif  // DOVETAIL_BACKENDS_VPU_CUSTOM_SHAVE_SHAVE_PROGRAM_H_
