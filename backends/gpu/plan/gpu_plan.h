// A plan that is ready to run on a device: steps, built kernels, constants in
// device memory.
#ifndef DOVETAIL_BACKENDS_GPU_PLAN_GPU_PLAN_H_
#define DOVETAIL_BACKENDS_GPU_PLAN_GPU_PLAN_H_

#include <map>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "dovetail/backends/common/compiler/plan.h"
#include "dovetail/backends/common/program/static_plan.h"
#include "dovetail/backends/gpu/driver/device.h"
#include "dovetail/backends/gpu/memory/buffer.h"
#include "dovetail/backends/gpu/plan/device_constants.h"
#include "dovetail/backends/gpu/plan/joined_launches.h"
#include "dovetail/backends/gpu/plan/program_store.h"
#include "dovetail/backends/gpu/program/cl_program.h"

namespace dovetail::gpu {

class GpuPlan : public StaticPlan,
                public std::enable_shared_from_this<GpuPlan> {
 public:
  // Builds the kernels of all launches together, which takes drivers longer
  // than all else: no constant is read, so that these can be packed meanwhile.
  // A kernel that does not compile is kInternal, with the driver's log.
  // `joins_launches` as in CompileSettings.
  static absl::StatusOr<std::shared_ptr<GpuPlan>> Build(
      std::shared_ptr<ClDevice> device, std::shared_ptr<const Plan> plan,
      ProgramStore& programs, bool joins_launches = false);
  // Then, with constants that are packed, makes it ready to run. Kernels that
  // are new have been launched once, as some drivers finish compiling only
  // then. kResourceExhausted when the device has no room for the constants.
  absl::Status Complete(ProgramStore& programs, DeviceConstants& constants);

  const std::vector<PlanPort>& outputs() const override {
    return plan_->outputs;
  }
  absl::StatusOr<std::unique_ptr<Instance>> NewInstance() const override;
  int64_t step_count() const override {
    return static_cast<int64_t>(plan_->steps.size());
  }
  std::optional<ExecutionInfo> Describe(const Node& node) const override;
  std::vector<int64_t> ArenaBytes() const override {
    return plan_->arena_bytes;
  }
  std::vector<MemoryRegion> Memory() const override { return plan_->memory; }

  const std::shared_ptr<ClDevice>& device() const { return device_; }
  const Plan& plan() const { return *plan_; }
  // Steps that are launched together.
  const JoinedLaunches& joined() const { return joined_; }
  const Buffer& joined_table() const { return joined_table_; }
  // A new kernel object for the launch that begins with the step.
  absl::StatusOr<Kernel> NewKernel(size_t step) const;
  // The buffer of a constant that a launch reads.
  const Buffer& constant(const void* data) const {
    return *constants_.at(data);
  }

 private:
  GpuPlan(std::shared_ptr<ClDevice> device, std::shared_ptr<const Plan> plan)
      : device_(std::move(device)), plan_(std::move(plan)) {}
  absl::Status PlaceConstants(DeviceConstants& constants);
  absl::Status Join();
  absl::Status BuildKernels(ProgramStore& programs);
  absl::Status LaunchJoinedOnce() const;
  bool HasSingleLaunches() const;

  const std::shared_ptr<ClDevice> device_;
  const std::shared_ptr<const Plan> plan_;
  JoinedLaunches joined_;
  Buffer joined_table_;
  std::map<size_t, BuiltKernel> kernels_;  // by the step that begins a launch
  std::vector<std::shared_ptr<const ClProgram>> new_programs_;
  std::map<const void*, std::shared_ptr<const Buffer>> constants_;
};

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_PLAN_GPU_PLAN_H_
