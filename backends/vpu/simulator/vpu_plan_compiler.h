// The plans that the simulator gives to programs: values by kernels of the
// host, times by the compiler's stages.
#ifndef DOVETAIL_BACKENDS_VPU_SIMULATOR_VPU_PLAN_COMPILER_H_
#define DOVETAIL_BACKENDS_VPU_SIMULATOR_VPU_PLAN_COMPILER_H_

#include <memory>

#include "absl/status/statusor.h"
#include "dovetail/backends/common/compiler/weights_cache.h"
#include "dovetail/backends/common/kernels/host_kernels.h"
#include "dovetail/backends/common/program/static_plan.h"
#include "dovetail/backends/vpu/machine/machine.h"

namespace dovetail::vpu {

// One a compiled model. Tensors of a model are f16 where VPU's lowering makes
// them so; layers that the processor computes in one go are not rounded in
// between.
class VpuPlanCompiler : public PlanCompiler {
 public:
  explicit VpuPlanCompiler(const Machine& machine) : machine_(machine) {}

  // kUnimplemented, with the layer, for what has no time model.
  absl::StatusOr<std::shared_ptr<const StaticPlan>> Compile(
      std::shared_ptr<const Model> model, WorkTeam& team) override;

  FindKernelFn find_kernel() const override { return &FindHostKernel; }

 private:
  const Machine machine_;
  WeightsCache weights_;
};

}  // namespace dovetail::vpu

#endif  // DOVETAIL_BACKENDS_VPU_SIMULATOR_VPU_PLAN_COMPILER_H_
