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
#include "dovetail/backends/vpu/compiler/custom_work.h"
#include "dovetail/backends/vpu/custom/resolve.h"
#include "dovetail/backends/vpu/custom/shave/shave_program.h"
#include "dovetail/backends/vpu/custom/shave/shared_buffers.h"
#include "dovetail/backends/vpu/custom/shave/worker/launch_call.h"

namespace dovetail::vpu {

// A kernel of a layer with everything known.
struct ShaveStage {
  std::string name;   // "kernels.xml:3: kernel reorg", for messages
  std::string entry;  // "reorg"
  int64_t max_shaves = 0;
  std::shared_ptr<const ShaveProgram> program;
  ResolvedKernel kernel;
};

// One thread at a time; stages outlive it. Its kernels run in the process of
// ShaveWorker, where those of all launches take turns.
class ShaveLaunch {
 public:
  // With memory for all arguments. kResourceExhausted and the like as the
  // system and the driver say; kInvalidArgument for a buffer that no earlier
  // kernel writes.
  static absl::StatusOr<std::unique_ptr<ShaveLaunch>> New(
      const std::vector<ShaveStage>& stages);
  ~ShaveLaunch();

  // Inputs and outputs of the layer, in row-major order. kDeadlineExceeded for
  // a kernel that runs longer than `watchdog_ms` (0: for ever is allowed).
  // kInvalidArgument for one that writes outside of its arguments, reads far
  // outside of them, or ends its process in another way, and where DMA could
  // not do what it was asked for. The next run begins anew.
  absl::Status Run(absl::Span<void* const> inputs,
                   absl::Span<void* const> outputs, int64_t watchdog_ms);

  // What a kernel of the last run has counted, by group.
  std::vector<GroupWork> Counts(size_t stage) const;

 private:
  explicit ShaveLaunch(const std::vector<ShaveStage>& stages)
      : stages_(stages), call_{.id = ShaveWorker::Shared().NewId()} {}

  absl::Status Describe(const ShaveStage& stage, std::vector<int64_t>& bytes);
  absl::StatusOr<size_t> BufferFor(const ResolvedArgument& argument,
                                   std::vector<int64_t>& bytes);
  absl::Status Ready(ShaveWorker::Turn& turn);
  absl::Status RunStage(ShaveWorker::Turn& turn, size_t index, int64_t image,
                        absl::Span<void* const> inputs,
                        absl::Span<void* const> outputs, int64_t watchdog_ms);
  absl::Status Launch(ShaveWorker::Turn& turn, size_t index,
                      int64_t watchdog_ms);
  uint64_t* CountsOf(size_t stage) const;
  std::string FaultText(const Fault& fault, size_t stage) const;

  const std::vector<ShaveStage>& stages_;
  LaunchCall call_;
  std::map<int, size_t> between_;  // buffers between kernels, by port
  std::unique_ptr<SharedBuffers> buffers_;
  uint64_t process_ = 0;  // that has it
};

}  // namespace dovetail::vpu

#endif  // DOVETAIL_BACKENDS_VPU_CUSTOM_SHAVE_SHAVE_LAUNCH_H_
