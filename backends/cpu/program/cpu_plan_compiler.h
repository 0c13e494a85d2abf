// The plans that the CPU gives to programs.
#ifndef DOVETAIL_BACKENDS_CPU_PROGRAM_CPU_PLAN_COMPILER_H_
#define DOVETAIL_BACKENDS_CPU_PROGRAM_CPU_PLAN_COMPILER_H_

#include <memory>
#include <utility>

#include "absl/status/statusor.h"
#include "dovetail/backends/common/kernels/host_kernels.h"
#include "dovetail/backends/common/program/static_plan.h"
#include "dovetail/backends/cpu/compiler/settings.h"
#include "dovetail/backends/common/compiler/weights_cache.h"

namespace dovetail::cpu {

// One a compiled model: all its plans share packed weights.
class CpuPlanCompiler : public PlanCompiler {
 public:
  // `settings` get a compiler of bodies.
  static std::shared_ptr<CpuPlanCompiler> Create(CompileSettings settings);

  WeightsCache& weights() { return weights_; }

  absl::StatusOr<std::shared_ptr<const StaticPlan>> Compile(
      std::shared_ptr<const Model> model, WorkTeam& team) override;

  FindKernelFn find_kernel() const override { return &FindHostKernel; }

 private:
  explicit CpuPlanCompiler(CompileSettings settings)
      : settings_(std::move(settings)) {}

  CompileSettings settings_;
  WeightsCache weights_;
};

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_PROGRAM_CPU_PLAN_COMPILER_H_
