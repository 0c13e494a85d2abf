// The kernels of a custom layer, run one behind another.
#ifndef DOVETAIL_BACKENDS_VPU_CUSTOM_SHAVE_LAUNCH_H_
#define DOVETAIL_BACKENDS_VPU_CUSTOM_SHAVE_LAUNCH_H_

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
#include "dovetail/backends/vpu/custom/shave_program.h"

namespace dovetail::vpu {

// A kernel of a layer with everything known.
struct ShaveStage {
  std::string name;  // "kernels.xml:3: kernel reorg", for messages
  std::shared_ptr<const ShaveProgram> program;
  ResolvedKernel kernel;
};

// One thread at a time; stages outlive it.
class ShaveLaunch {
 public:
  // With memory for all arguments. kResourceExhausted and the like as the driver
  // says; kInvalidArgument for a buffer that no earlier kernel writes.
  static absl::StatusOr<std::unique_ptr<ShaveLaunch>> New(
      const std::vector<ShaveStage>& stages);

  // Inputs and outputs of the layer, in row-major order. kDeadlineExceeded for a
  // kernel that runs longer than `watchdog_ms` (0: for ever is allowed), which
  // is given up: its thread goes on, and every later call answers this error.
  absl::Status Run(absl::Span<void* const> inputs,
                   absl::Span<void* const> outputs, int64_t watchdog_ms);

  // What DMA has moved in all runs; it begins again at 2^32.
  absl::StatusOr<int64_t> DmaBytes();

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
  absl::Status Read(const opencl::Mem& memory,
                    const ResolvedArgument& argument, char* to);
  absl::Status Launch(const opencl::Kernel& kernel,
                      const ResolvedKernel& resolved, int64_t watchdog_ms);
  absl::Status Await(const opencl::Event& event, int64_t watchdog_ms);
  void Abandon();
  const opencl::ClApi& api() const { return stages_[0].program->api(); }

  const std::vector<ShaveStage>& stages_;
  opencl::CommandQueue queue_;
  std::vector<Prepared> prepared_;
  std::map<int, opencl::Mem> buffers_;  // between kernels, by port
  opencl::Mem dma_bytes_;               // one uint
  std::vector<char> moved_;             // a tensor, channels last
  absl::Status given_up_;
};

}  // namespace dovetail::vpu

#endif  // DOVETAIL_BACKENDS_VPU_CUSTOM_SHAVE_LAUNCH_H_
