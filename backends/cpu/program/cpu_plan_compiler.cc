#include "dovetail/backends/cpu/program/cpu_plan_compiler.h"

#include <iostream>

#include "dovetail/backends/common/compiler/describe_plan.h"
#include "dovetail/backends/common/program/program.h"
#include "dovetail/backends/common/steps/compiled_plan.h"
#include "dovetail/backends/cpu/compiler/compile_plan.h"
#include "dovetail/backends/cpu/steps/table.h"
#include "dovetail/core/base/status.h"

namespace dovetail::cpu {
std::shared_ptr<CpuPlanCompiler> CpuPlanCompiler::Create(
    CompileSettings settings) {
  std::shared_ptr<CpuPlanCompiler> compiler(
      new CpuPlanCompiler(std::move(settings)));
  compiler->settings_.compile_body = BodyCompiler(compiler);
  return compiler;
}

absl::StatusOr<std::shared_ptr<const StaticPlan>> CpuPlanCompiler::Compile(
    std::shared_ptr<const Model> model, WorkTeam& team) {
  DOVETAIL_ASSIGN_OR_RETURN(
      std::shared_ptr<const Plan> plan,
      CompilePlan(std::move(model), settings_, AllTables(), weights_, team));
  if (settings_.print_plan) std::cerr << PlanText(*plan);
  return std::make_shared<const CompiledPlan>(std::move(plan));
}

}  // namespace dovetail::cpu
