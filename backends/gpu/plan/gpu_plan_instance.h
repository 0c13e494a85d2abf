// Memory and kernels with which one context runs a plan.
#ifndef DOVETAIL_BACKENDS_GPU_PLAN_GPU_PLAN_INSTANCE_H_
#define DOVETAIL_BACKENDS_GPU_PLAN_GPU_PLAN_INSTANCE_H_

#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "dovetail/backends/gpu/plan/gpu_plan.h"
#include "dovetail/backends/gpu/plan/steps.h"
#include "dovetail/backends/gpu/queue/queue.h"

namespace dovetail::gpu {

// Arguments of kernels are set once, so a run only enqueues. Kernels do not
// keep their buffers alive; the instance does.
class GpuPlanInstance : public StaticPlan::Instance {
 public:
  // kResourceExhausted when the device has not that much memory.
  static absl::StatusOr<std::unique_ptr<GpuPlanInstance>> Create(
      std::shared_ptr<const GpuPlan> plan);

  // On zeros.
  absl::Status LaunchEachKernelOnce();

  // Looks between steps whether the inference is to be cancelled. Waits once,
  // at the end, and before each step of the host. After an error the queue is
  // empty, too.
  absl::Status Run(absl::Span<const Tensor> inputs,
                   absl::Span<const Tensor> outputs,
                   RunEnvironment& environment) override;

 private:
  // What belongs to a step: a kernel, or the state of the host's node.
  struct StepState {
    Kernel kernel;
    std::shared_ptr<HostNode::State> host;
    Event event;
  };
  struct Mapped;

  explicit GpuPlanInstance(std::shared_ptr<const GpuPlan> plan)
      : plan_(std::move(plan)) {}
  absl::Status Allocate();
  absl::Status PrepareSteps();
  absl::Status SetArguments(const PlannedStep& step, const LaunchStep& launch,
                            const Kernel& kernel);
  const Buffer& BufferOf(const Address& address) const;

  absl::Status RunSteps(absl::Span<const Tensor> inputs, Queue& queue,
                        RunEnvironment& environment);
  absl::Status RunOnHost(const PlannedStep& step, const HostStep& host,
                         StepState& state, absl::Span<const Tensor> inputs,
                         Queue& queue, RunEnvironment& environment);
  absl::Status NoteTimes(StepClock& clock);

  const std::shared_ptr<const GpuPlan> plan_;
  std::vector<Buffer> arenas_, inputs_, outputs_;
  std::vector<StepState> states_;
};

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_PLAN_GPU_PLAN_INSTANCE_H_
