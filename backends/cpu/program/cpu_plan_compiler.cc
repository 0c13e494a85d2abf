#include "dovetail/backends/cpu/program/cpu_plan_compiler.h"

#include <iostream>
#include <map>
#include <string>
#include <vector>

#include "dovetail/backends/common/compiler/describe_plan.h"
#include "dovetail/backends/common/program/program.h"
#include "dovetail/backends/common/steps/compiled_plan.h"
#include "dovetail/backends/cpu/compiler/compile_plan.h"
#include "dovetail/backends/cpu/steps/table.h"
#include "dovetail/backends/cpu/tuning/tune_kernels.h"
#include "dovetail/core/base/status.h"

namespace dovetail::cpu {

std::shared_ptr<CpuPlanCompiler> CpuPlanCompiler::Create(
    CompileSettings settings) {
  std::shared_ptr<CpuPlanCompiler> compiler(
      new CpuPlanCompiler(std::move(settings)));
  compiler->settings_.compile_body = BodyCompiler(compiler);
  compiler->settings_.choices = &compiler->choices_;
  return compiler;
}

absl::StatusOr<std::shared_ptr<const Plan>> CpuPlanCompiler::CompileOnce(
    const std::shared_ptr<const Model>& model, WorkTeam& team) {
  return CompilePlan(model, settings_, AllTables(), weights_, team);
}

// Compiles with choices of a trial in place of the compiler's own.
class CpuPlanCompiler::ModelBench : public TuningBench {
 public:
  ModelBench(CpuPlanCompiler& compiler, PlanTimer& timer,
             std::shared_ptr<const Model> model, WorkTeam& team)
      : compiler_(compiler),
        timer_(timer),
        model_(std::move(model)),
        team_(team) {}

  absl::StatusOr<std::shared_ptr<const Plan>> Compile(
      const KernelChoices& choices,
      std::vector<OfferedKernels>* offered) override {
    compiler_.settings_.choices = &choices;
    compiler_.settings_.offered = offered;
    auto plan = compiler_.CompileOnce(model_, team_);
    compiler_.settings_.choices = &compiler_.choices_;
    compiler_.settings_.offered = nullptr;
    return plan;
  }

  absl::StatusOr<std::map<std::string, int64_t>> StepTimes(
      const std::shared_ptr<const Plan>& plan) override {
    return timer_.StepTimes(plan);
  }

  absl::StatusOr<bool> IsFaster(
      const std::shared_ptr<const Plan>& plan,
      const std::shared_ptr<const Plan>& other) override {
    return timer_.IsFaster(plan, other);
  }

 private:
  CpuPlanCompiler& compiler_;
  PlanTimer& timer_;
  const std::shared_ptr<const Model> model_;
  WorkTeam& team_;
};

absl::StatusOr<std::shared_ptr<const Plan>> CpuPlanCompiler::CompileTuned(
    const std::shared_ptr<const Model>& model, WorkTeam& team) {
  PlanTimer* const timer = timer_;
  timer_ = nullptr;  // the bodies' plans are compiled within
  ModelBench bench(*this, *timer, model, team);
  auto tuned = TuneKernels(bench);
  timer_ = timer;
  DOVETAIL_RETURN_IF_ERROR(tuned.status());
  for (const auto& [node, kernel] : tuned->choices.kernels()) {
    choices_.Choose(node, kernel);
  }
  return std::move(tuned->plan);
}

absl::StatusOr<std::shared_ptr<const StaticPlan>> CpuPlanCompiler::Compile(
    std::shared_ptr<const Model> model, WorkTeam& team) {
  DOVETAIL_ASSIGN_OR_RETURN(std::shared_ptr<const Plan> plan,
                            timer_ == nullptr ? CompileOnce(model, team)
                                              : CompileTuned(model, team));
  if (settings_.print_plan) std::cerr << PlanText(*plan);
  return std::make_shared<const CompiledPlan>(std::move(plan));
}

}  // namespace dovetail::cpu
