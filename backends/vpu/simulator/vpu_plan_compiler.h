// The plans that the simulator gives to programs: values by kernels of the
// host, times by the compiler's stages.
#ifndef DOVETAIL_BACKENDS_VPU_SIMULATOR_VPU_PLAN_COMPILER_H_
#define DOVETAIL_BACKENDS_VPU_SIMULATOR_VPU_PLAN_COMPILER_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "dovetail/backends/common/compiler/weights_cache.h"
#include "dovetail/backends/common/kernels/host_kernels.h"
#include "dovetail/backends/common/program/static_plan.h"
#include "dovetail/backends/vpu/machine/machine.h"
#include "dovetail/backends/vpu/program/program.h"

namespace dovetail::vpu {

using Programs = std::vector<std::shared_ptr<const Program>>;

// One a compiled model. Tensors of a model are f16 where VPU's lowering makes
// them so; layers that the processor computes in one go are not rounded in
// between.
class VpuPlanCompiler : public PlanCompiler {
 public:
  // `compiled` are for this machine: a model of the same layers as one of them
  // takes its stages.
  // `print_passes` is as PRINT_PASSES: NO, YES or the name of a pass.
  VpuPlanCompiler(const Machine& machine, Programs compiled,
                  std::string print_passes)
      : machine_(machine),
        compiled_(std::move(compiled)),
        print_passes_(std::move(print_passes)) {}

  // kUnimplemented, with the layer, for what has no time model.
  absl::StatusOr<std::shared_ptr<const StaticPlan>> Compile(
      std::shared_ptr<const Model> model, WorkTeam& team) override;

  FindKernelFn find_kernel() const override { return &FindHostKernel; }

  // Of all plans until now. Thread-safe.
  Programs programs();

 private:
  absl::StatusOr<std::shared_ptr<const Program>> ProgramOf(const Model& model);

  const Machine machine_;
  const Programs compiled_;
  const std::string print_passes_;
  Programs programs_;  // guarded by the compile_mutex of weights_
  WeightsCache weights_;
};

}  // namespace dovetail::vpu

#endif  // DOVETAIL_BACKENDS_VPU_SIMULATOR_VPU_PLAN_COMPILER_H_
