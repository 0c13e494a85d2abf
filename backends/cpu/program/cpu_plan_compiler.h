// The plans that the CPU gives to programs.
#ifndef DOVETAIL_BACKENDS_CPU_PROGRAM_CPU_PLAN_COMPILER_H_
#define DOVETAIL_BACKENDS_CPU_PROGRAM_CPU_PLAN_COMPILER_H_

#include <memory>
#include <utility>

#include "absl/status/statusor.h"
#include "dovetail/backends/common/compiler/weights_cache.h"
#include "dovetail/backends/common/kernels/host_kernels.h"
#include "dovetail/backends/common/program/static_plan.h"
#include "dovetail/backends/cpu/compiler/kernel_choices.h"
#include "dovetail/backends/cpu/compiler/settings.h"
#include "dovetail/backends/cpu/lowering.h"
#include "dovetail/backends/cpu/tuning/plan_timer.h"

namespace dovetail::cpu {

// One a compiled model: all its plans share packed weights.
class CpuPlanCompiler : public PlanCompiler {
 public:
  // `settings` get a compiler of bodies.
  static std::shared_ptr<CpuPlanCompiler> Create(CompileSettings settings);

  WeightsCache& weights() { return weights_; }

  // What trials have chosen, here or where an import comes from: before the
  // first Compile, or after the last.
  const KernelChoices& choices() const { return choices_; }
  void set_choices(KernelChoices choices) { choices_ = std::move(choices); }

  // Plans that are compiled from now on, in one thread, are tuned by `timer`,
  // which outlives that; null: they are not. Bodies of nodes keep what
  // estimates choose.
  void set_timer(PlanTimer* timer) { timer_ = timer; }

  void AddPassesForShapes(PassManager& passes) const override {
    cpu::AddPassesForShapes(passes);
  }

  absl::StatusOr<std::shared_ptr<const StaticPlan>> Compile(
      std::shared_ptr<const Model> model, WorkTeam& team) override;

  // All memory is the host's.
  bool splits_by_shape() const override { return true; }

  FindKernelFn find_kernel() const override { return &FindHostKernel; }

 private:
  class ModelBench;
  explicit CpuPlanCompiler(CompileSettings settings)
      : settings_(std::move(settings)) {}

  absl::StatusOr<std::shared_ptr<const Plan>> CompileOnce(
      const std::shared_ptr<const Model>& model, WorkTeam& team);
  absl::StatusOr<std::shared_ptr<const Plan>> CompileTuned(
      const std::shared_ptr<const Model>& model, WorkTeam& team);

  CompileSettings settings_;
  KernelChoices choices_;
  PlanTimer* timer_ = nullptr;
  WeightsCache weights_;
};

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_PROGRAM_CPU_PLAN_COMPILER_H_
