// Memory and kernels with which one context runs a plan.
#ifndef DOVETAIL_BACKENDS_GPU_PLAN_GPU_PLAN_INSTANCE_H_
#define DOVETAIL_BACKENDS_GPU_PLAN_GPU_PLAN_INSTANCE_H_

#include <memory>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "dovetail/backends/gpu/plan/faults.h"
#include "dovetail/backends/gpu/plan/gpu_plan.h"
#include "dovetail/backends/gpu/plan/steps.h"
#include "dovetail/backends/gpu/queue/event_times.h"
#include "dovetail/backends/gpu/queue/queue.h"
#include "dovetail/core/plugin/profiling.h"

namespace dovetail::gpu {

// Arguments of kernels are set once, so a run only enqueues. Kernels do not
// keep their buffers alive; the instance does.
class GpuPlanInstance : public StaticPlan::Instance {
 public:
  // kResourceExhausted when the device has not that much memory.
  static absl::StatusOr<std::unique_ptr<GpuPlanInstance>> Create(
      std::shared_ptr<const GpuPlan> plan);

  // Each kernel that is none of joined launches', on zeros.
  absl::Status LaunchSinglesOnce();

  // Looks between steps whether the inference is to be cancelled. Waits once,
  // at the end, and before each step of the host. After an error the queue is
  // empty, too.
  absl::Status Run(absl::Span<const Tensor> inputs,
                   absl::Span<const Tensor> outputs,
                   RunEnvironment& environment) override;

  // ---- Plans without steps of the host, run by their context ----

  // From now on kernels read input `i` (write output `i`) in that buffer, which
  // has the port's bytes at least; null: in memory of the instance's own. No
  // launch may be under way.
  absl::Status BindInput(int i, std::shared_ptr<const Buffer> buffer);
  absl::Status BindOutput(int i, std::shared_ptr<const Buffer> buffer);
  // The buffers in use.
  const Buffer& input(int i) const { return *inputs_[i].buffer; }
  const Buffer& output(int i) const { return *outputs_[i].buffer; }
  // Adds all launches to the queue, which is the one of every call, and waits
  // for none. Asks `check_cancelled` between them.
  absl::Status Enqueue(Queue& queue,
                       absl::FunctionRef<absl::Status()> check_cancelled);
  // What kernels found wrong in what Enqueue added, when it is complete.
  absl::Status CheckFaults(Queue& queue) {
    return faults_.Check(plan_->plan(), queue);
  }
  // One record a launch of the last run, which is complete and was enqueued in
  // a queue with profiling. Counters are nanoseconds until the driver handed it
  // to the device, "queued_ns", and from there until it began, "submitted_ns".
  absl::StatusOr<std::vector<ProfilingRecord>> Records(
      absl::string_view lane) const;

 private:
  // The memory in which a user's kernel has an operand that lies where no
  // buffer may begin: copied there before the launch, or back behind it.
  struct Copied {
    Address address;
    bool is_output;
    Buffer buffer;
  };
  // What belongs to a step: a kernel, or the state of the host's node.
  struct StepState {
    Kernel kernel;
    std::vector<Buffer> parts;  // of arenas, that the kernel has
    std::vector<Copied> copied;
    std::shared_ptr<HostNode::State> host;
    Event event;
  };
  // An input or output, and where kernels are told of it.
  struct Port {
    struct Argument {
      size_t step;
      int index;
    };
    std::shared_ptr<const Buffer> buffer;
    bool is_own = true;
    int64_t bytes = 0;
    std::vector<Argument> arguments;
  };
  // A launch of the last run.
  struct LaunchTimes {
    const PlannedStep* step;
    EventTimes times;
    int64_t start_ns = 0;  // by the host's clock
  };
  struct Mapped;

  explicit GpuPlanInstance(std::shared_ptr<const GpuPlan> plan)
      : plan_(std::move(plan)) {}
  absl::Status Allocate();
  absl::Status PrepareSteps();
  absl::Status AddPorts(const std::vector<PlanPort>& from,
                        std::vector<Port>& ports);
  absl::Status SetArguments(size_t step, const LaunchStep& launch);
  absl::Status SetGroupArguments(const LaunchGroup& group);
  absl::Status SetUserArguments(size_t step, const LaunchStep& launch);
  absl::Status SetBuffer(size_t step, int index, const Address& address,
                         const BufferArgument& argument);
  absl::Status CopyOperands(size_t step, bool outputs, Queue& queue);
  const Buffer& BufferOf(const Address& address) const;
  Port* PortOf(const Address& address);
  absl::Status Bind(Port& port, std::shared_ptr<const Buffer> buffer);

  absl::Status Launch(size_t step, const LaunchStep& launch, Queue& queue);
  absl::Status RunSteps(absl::Span<const Tensor> inputs, Queue& queue,
                        RunEnvironment& environment);
  absl::Status RunOnHost(const PlannedStep& step, const HostStep& host,
                         StepState& state, absl::Span<const Tensor> inputs,
                         Queue& queue, RunEnvironment& environment);
  absl::StatusOr<std::vector<LaunchTimes>> TimesOfLaunches() const;
  absl::Status NoteTimes(StepClock& clock) const;

  const std::shared_ptr<const GpuPlan> plan_;
  std::vector<Buffer> arenas_;
  Buffer joined_state_;  // see PersistentKernel
  Faults faults_;
  std::vector<Port> inputs_, outputs_;
  std::vector<StepState> states_;
};

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_PLAN_GPU_PLAN_INSTANCE_H_
