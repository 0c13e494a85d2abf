// The kernels of a custom layer, run one behind another.
#ifndef DOVETAIL_BACKENDS_VPU_CUSTOM_SHAVE_SHAVE_LAUNCH_H_
#define DOVETAIL_BACKENDS_VPU_CUSTOM_SHAVE_SHAVE_LAUNCH_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "dovetail/backends/common/opencl/handle.h"
#include "dovetail/backends/vpu/custom/resolve.h"
#include "dovetail/backends/vpu/custom/shave/shave_control.h"
#include "dovetail/backends/vpu/custom/shave/shave_program.h"

namespace dovetail::vpu {

// A kernel of a layer with everything known.
struct ShaveStage {
  std::string name;   // "kernels.xml:3: kernel reorg", for messages
  std::string entry;  // "reorg"
  int64_t max_shaves = 0;
  std::shared_ptr<const ShaveProgram> program;
  ResolvedKernel kernel;
  std::shared_ptr<ShaveControl> control;  // of the program, for kernel.groups()
};

// One thread at a time; stages outlive it.
class ShaveLaunch {
 public:
  // With memory for all arguments. kResourceExhausted and the like as the
  // driver says; kInvalidArgument for a buffer that no earlier kernel writes.
  static absl::StatusOr<std::unique_ptr<ShaveLaunch>> New(
      const std::vector<ShaveStage>& stages);

  // Inputs and outputs of the layer, in row-major order. kDeadlineExceeded for
  // a kernel that runs longer than `watchdog_ms` (0: for ever is allowed),
  // which is stopped, and for all runs of its stages until their controls are
  // reset.
  absl::Status Run(absl::Span<void* const> inputs,
                   absl::Span<void* const> outputs, int64_t watchdog_ms);

 private:
  struct Prepared {
    opencl::Kernel kernel;
    std::vector<opencl::Mem> memory;  // by argument; none for numbers
  };

  explicit ShaveLaunch(const std::vector<ShaveStage>& stages)
      : stages_(stages) {}

  absl::Status Prepare(const ShaveStage& stage);
  absl::StatusOr<opencl::Mem> NewMemory(int64_t bytes);
  absl::Status SetArgument(const opencl::Kernel& kernel, size_t index,
                           size_t bytes, const void* value,
                           absl::string_view name);
  absl::StatusOr<opencl::Mem> MemoryFor(const ResolvedArgument& argument);
  absl::Status SetArguments(const ShaveStage& stage, const Prepared& prepared);
  absl::Status RunStage(size_t index, int64_t image,
                        absl::Span<void* const> inputs,
                        absl::Span<void* const> outputs, int64_t watchdog_ms);
  absl::Status Write(const opencl::Mem& memory,
                     const ResolvedArgument& argument, const char* from);
  absl::Status Read(const opencl::Mem& memory, const ResolvedArgument& argument,
                    char* to);
  absl::Status Launch(const opencl::Kernel& kernel, const ShaveStage& stage,
                      int64_t watchdog_ms);
  absl::StatusOr<bool> IsDone(const opencl::Event& event, int64_t most_ms);
  absl::Status Await(const opencl::Event& event, const ShaveStage& stage,
                     int64_t watchdog_ms);
  void Abandon();
  const opencl::ClApi& api() const { return stages_[0].program->api(); }

  const std::vector<ShaveStage>& stages_;
  opencl::CommandQueue queue_;
  std::vector<Prepared> prepared_;
  std::map<int, opencl::Mem> buffers_;  // between kernels, by port
  std::vector<char> moved_;             // a tensor, channels last
  bool is_abandoned_ = false;
};

}  // namespace dovetail::vpu

#endif  // DOVETAIL_BACKENDS_VPU_CUSTOM_SHAVE_SHAVE_LAUNCH_H_
