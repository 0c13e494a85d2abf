#include "dovetail/backends/gpu/compiler/gpu_plan_compiler.h"

#include <iostream>

#include "dovetail/backends/common/compiler/describe_plan.h"
#include "dovetail/backends/common/program/program.h"
#include "dovetail/backends/gpu/compiler/bounded_suppression.h"
#include "dovetail/backends/gpu/compiler/compile_plan.h"
#include "dovetail/backends/gpu/plan/gpu_plan.h"
#include "dovetail/core/base/status.h"

namespace dovetail::gpu {

std::shared_ptr<GpuPlanCompiler> GpuPlanCompiler::Create(
    CompileSettings settings, EmitFn emit) {
  std::shared_ptr<GpuPlanCompiler> compiler(
      new GpuPlanCompiler(std::move(settings), emit));
  compiler->settings_.compile_body = BodyCompiler(compiler);
  return compiler;
}

absl::StatusOr<std::shared_ptr<const Model>> GpuPlanCompiler::Adapt(
    std::shared_ptr<const Model> model) const {
  return BoundSuppressions(std::move(model), settings_.custom_kernels.get());
}

absl::StatusOr<std::shared_ptr<const StaticPlan>> GpuPlanCompiler::Compile(
    std::shared_ptr<const Model> model, WorkTeam& team) {
  std::shared_ptr<GpuPlan> made;
  const auto build =
      [&](const std::shared_ptr<const Plan>& plan) -> absl::Status {
    if (settings_.print_plan) std::cerr << PlanText(*plan);
    DOVETAIL_ASSIGN_OR_RETURN(
        made, GpuPlan::Build(settings_.device, plan, programs_,
                             settings_.joins_launches));
    return absl::OkStatus();
  };
  DOVETAIL_RETURN_IF_ERROR(
      CompilePlan(std::move(model), settings_, emit_, weights_, team, build)
          .status());
  DOVETAIL_RETURN_IF_ERROR(made->Complete(programs_, constants_));
  return made;
}

}  // namespace dovetail::gpu
