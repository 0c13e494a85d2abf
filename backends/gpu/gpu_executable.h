// A compiled model of the GPU.
#ifndef DOVETAIL_BACKENDS_GPU_GPU_EXECUTABLE_H_
#define DOVETAIL_BACKENDS_GPU_GPU_EXECUTABLE_H_

#include <atomic>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "dovetail/backends/common/program/program_executable.h"
#include "dovetail/backends/gpu/compiler/gpu_plan_compiler.h"
#include "dovetail/backends/gpu/custom/custom_kernels.h"
#include "dovetail/backends/gpu/driver/device.h"
#include "dovetail/backends/gpu/plan/gpu_plan.h"
#include "dovetail/backends/gpu/queue/queue.h"
#include "dovetail/core/blob/blob_writer.h"
#include "dovetail/core/executor/team/work_team.h"
#include "dovetail/core/plugin/lowered/lowered_model.h"
#include "dovetail/core/plugin/plugin.h"

namespace dovetail::gpu {

class GpuExecutable : public ProgramExecutable {
 public:
  // Takes a model whose nodes are all supported. In an import, call.blob is
  // what Export has written of it.
  static absl::StatusOr<std::unique_ptr<Executable>> Create(
      std::shared_ptr<ClDevice> device, LoweredModel lowered,
      const PluginCall& call);

  // Of three stages where the model is one plan of kernels. Other models have
  // the one stage of ProgramContext: a step of the host, a barrier or a new
  // shape needs a thread that waits in the middle of the inference anyway.
  absl::StatusOr<std::unique_ptr<ExecutionContext>> NewContext() const override;
  absl::Status Export(BlobWriter& blob) const override;
  // The values of CONFIG_FILE and its kin, which config() is without: an
  // export has the kernels themselves, and needs no files.
  absl::StatusOr<std::string> GetMetric(absl::string_view name) const override;
  std::vector<PropertySpec> own_properties() const override;

 private:
  GpuExecutable(LoweredModel lowered, const PluginCall& call);
  absl::Status Compile(std::shared_ptr<ClDevice> device,
                       const PluginCall& call);
  absl::Status CreateProgram(WorkTeam& team);
  // The model as one plan of kernels; null: it is none.
  std::shared_ptr<const GpuPlan> PlanOfKernels() const;

  std::shared_ptr<GpuPlanCompiler> plan_compiler_;
  std::string platform_;  // that weights are packed for
  const PropertyMap kernel_properties_;
  std::shared_ptr<const CustomKernels> custom_kernels_;
  std::shared_ptr<ClDevice> device_;
  std::shared_ptr<Queue> shared_queue_;  // null: each context has its own
  std::shared_ptr<const GpuPlan> plan_;  // null: see NewContext
  mutable std::atomic<int> contexts_ = 0;
};

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_GPU_EXECUTABLE_H_
