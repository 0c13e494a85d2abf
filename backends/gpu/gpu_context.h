// One inference at a time of a model that is one plan of kernels.
#ifndef DOVETAIL_BACKENDS_GPU_GPU_CONTEXT_H_
#define DOVETAIL_BACKENDS_GPU_GPU_CONTEXT_H_

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "dovetail/backends/gpu/plan/gpu_plan.h"
#include "dovetail/backends/gpu/plan/gpu_plan_instance.h"
#include "dovetail/backends/gpu/plan/port_binding.h"
#include "dovetail/backends/gpu/queue/queue.h"
#include "dovetail/core/executor/executor.h"
#include "dovetail/core/plugin/lowered/lowered_model.h"
#include "dovetail/core/plugin/plugin.h"

namespace dovetail::gpu {

// What an executable gives its contexts; all of it outlives them.
struct GpuContextParts {
  const Executable& executable;
  std::shared_ptr<const GpuPlan> plan;
  const std::vector<LayerName>& optimized_out;
  std::shared_ptr<Queue> shared_queue;  // null: each context has its own
  Executor& executor;                   // of the stages on the host
  int number = 0;                       // of its queue in profiles
};

// Three stages: "input copy" binds tensors and adds what has to be written,
// "execute" adds all launches, "output copy" stores what could not be written
// in place. Nobody waits for the device but a synchronous inference, once; an
// asynchronous one only where the driver computes in threads that wait.
class GpuContext : public ExecutionContext {
 public:
  // kResourceExhausted where the device has not that much memory.
  static absl::StatusOr<std::unique_ptr<ExecutionContext>> Create(
      const GpuContextParts& parts);
  // Waits until the device does not use tensors any more.
  ~GpuContext() override;

  absl::Span<const Stage> stages() override { return stages_; }
  absl::Status SetInput(int i, const Tensor& tensor) override;
  absl::Status SetOutput(int i, const Tensor& tensor) override;
  bool Takes(const DeviceMemory& memory) const override;
  void Begin(bool synchronous) override;
  void End(const absl::Status& status) override;
  void Cancel() override { cancelled_.store(true); }
  std::vector<ProfilingRecord> profiling() const override;

 private:
  GpuContext(const GpuContextParts& parts, std::shared_ptr<Queue> queue,
             std::unique_ptr<GpuPlanInstance> instance);

  absl::Status CheckCancelled() const;
  absl::Status CopyInputs();
  absl::Status LoadInputs();
  absl::Status PlaceOutputs();
  bool MayUseInPlace(int i) const;
  bool OutputsAreFree() const;
  absl::Status Enqueue();
  void Execute(StageDone done);
  absl::Status StoreOutputs();
  void ReleaseAll();

  const GpuContextParts parts_;
  const std::shared_ptr<Queue> queue_;
  const std::unique_ptr<GpuPlanInstance> instance_;
  std::vector<PortBinding> bound_inputs_, bound_outputs_;
  std::vector<Tensor> loaded_, placed_;  // of the inference that runs
  std::vector<bool> is_copy_;            // of the user's input
  std::vector<ProfilingRecord> records_;
  const std::vector<Stage> stages_;
  bool synchronous_ = false;
  std::atomic<bool> cancelled_ = false;
};

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_GPU_CONTEXT_H_
