// The plans that the simulator gives to programs: values by kernels of the
// host, times by the compiler's stages.
#ifndef DOVETAIL_BACKENDS_VPU_SIMULATOR_VPU_PLAN_COMPILER_H_
#define DOVETAIL_BACKENDS_VPU_SIMULATOR_VPU_PLAN_COMPILER_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "dovetail/backends/common/compiler/plan_builder_base.h"
#include "dovetail/backends/common/compiler/weights_cache.h"
#include "dovetail/backends/common/kernels/host_kernels.h"
#include "dovetail/backends/common/program/static_plan.h"
#include "dovetail/backends/vpu/compiler/lower_model.h"
#include "dovetail/backends/vpu/custom/custom_layers.h"
#include "dovetail/backends/vpu/custom/custom_step.h"
#include "dovetail/backends/vpu/machine/machine.h"
#include "dovetail/backends/vpu/program/program.h"
#include "dovetail/backends/vpu/simulator/accumulation.h"

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
  // `accumulation` is how products are added up.
  // Layers that are marked as `custom` ones run their kernels, each for
  // `watchdog_ms` at most (0: for ever).
  // Layers of `black_list` are not engines', nor those that were not in
  // `compiled`.
  VpuPlanCompiler(const Machine& machine, Programs compiled,
                  std::string print_passes,
                  std::shared_ptr<const CustomLayers> custom,
                  int64_t watchdog_ms, Accumulation accumulation,
                  BlackList black_list)
      : machine_(machine),
        compiled_(std::move(compiled)),
        print_passes_(std::move(print_passes)),
        custom_(std::move(custom)),
        watchdog_ms_(watchdog_ms),
        accumulation_(accumulation),
        black_list_(std::move(black_list)) {
    for (const auto& program : compiled_) {
      black_list_.merge(BlackListOf(program->network()));
    }
  }

  // kUnimplemented, with the layer, for what has no time model.
  absl::StatusOr<std::shared_ptr<const StaticPlan>> Compile(
      std::shared_ptr<const Model> model, WorkTeam& team) override;

  FindKernelFn find_kernel() const override { return &FindHostKernel; }

  // Of all plans until now. Thread-safe.
  Programs programs();

 private:
  using Kernels = std::map<std::string, std::shared_ptr<const CustomKernels>>;

  absl::StatusOr<std::shared_ptr<const Program>> ProgramOf(
      const Model& model, const Kernels& kernels) const;
  // Of the nodes that are marked, by name.
  absl::StatusOr<Kernels> KernelsOf(const std::vector<Node*>& nodes) const;
  absl::StatusOr<CustomWorks> CountWorks(const Model& model,
                                         const Network& network,
                                         const Kernels& kernels) const;
  absl::Status AddNode(const Node& node, const Program& program,
                       const Kernels& kernels, PlanBuilderBase& builder) const;
  // By kernels of the simulator's own.
  absl::Status AddOwnStep(const Node& node, const Program& program,
                          PlanBuilderBase& builder) const;

  const Machine machine_;
  const Programs compiled_;
  const std::string print_passes_;
  const std::shared_ptr<const CustomLayers> custom_;
  const int64_t watchdog_ms_;
  const Accumulation accumulation_;
  BlackList black_list_;
  Programs programs_;  // guarded by the compile_mutex of weights_
  WeightsCache weights_;
};

}  // namespace dovetail::vpu

#endif  // DOVETAIL_BACKENDS_VPU_SIMULATOR_VPU_PLAN_COMPILER_H_
