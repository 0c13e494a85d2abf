// What a kernel counts while it runs, and the way to stop it.
#ifndef DOVETAIL_BACKENDS_VPU_CUSTOM_SHAVE_SHAVE_CONTROL_H_
#define DOVETAIL_BACKENDS_VPU_CUSTOM_SHAVE_SHAVE_CONTROL_H_

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "dovetail/backends/common/opencl/handle.h"
#include "dovetail/backends/vpu/compiler/custom_work.h"
#include "dovetail/backends/vpu/custom/shave/shave_program.h"

namespace dovetail::vpu {

// Of one program, for all of its launches: memory that host and kernel see at
// the same time, as drivers for processors have it. Any thread may call.
class ShaveControl {
 public:
  // For launches of so many groups.
  static absl::StatusOr<std::unique_ptr<ShaveControl>> New(
      const ShaveProgram& program, int64_t groups);

  // The last argument of a group kernel.
  const opencl::Mem& memory() const { return memory_; }

  // Loops of the kernel end soon, in all launches, until Reset, as one ran
  // longer than `watchdog_ms`.
  void Stop(int64_t watchdog_ms);
  // OK, or why launches have been stopped: kDeadlineExceeded after Stop,
  // kInvalidArgument where DMA could not do what it was asked for.
  absl::Status status() const;

  // Counts begin at 0 again. Nothing may run.
  void Reset();
  // Since then, of launches that ran one behind another.
  std::vector<GroupWork> Counts() const;

 private:
  struct Free {
    void operator()(uint64_t* numbers) const { std::free(numbers); }
  };

  ShaveControl() = default;

  std::unique_ptr<uint64_t[], Free> numbers_;  // as prelude.cl has them
  int64_t groups_ = 0;
  opencl::Mem memory_;
};

}  // namespace dovetail::vpu

#endif  // DOVETAIL_BACKENDS_VPU_CUSTOM_SHAVE_SHAVE_CONTROL_H_
