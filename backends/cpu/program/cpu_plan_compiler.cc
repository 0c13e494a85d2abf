#include "dovetail/backends/cpu/program/cpu_plan_compiler.h"

#include <iostream>

#include "dovetail/backends/common/program/program.h"
#include "dovetail/backends/cpu/compiler/compile_plan.h"
#include "dovetail/backends/cpu/plan/plan_instance.h"
#include "dovetail/backends/common/compiler/describe_plan.h"
#include "dovetail/backends/cpu/steps/table.h"
#include "dovetail/core/base/status.h"

namespace dovetail::cpu {
namespace {

class CompiledPlan : public StaticPlan {
 public:
  explicit CompiledPlan(std::shared_ptr<const Plan> plan)
      : plan_(std::move(plan)) {}

  const std::vector<PlanPort>& outputs() const override {
    return plan_->outputs;
  }
  absl::StatusOr<std::unique_ptr<Instance>> NewInstance() const override {
    return PlanInstance::Create(plan_);
  }
  int64_t step_count() const override {
    return static_cast<int64_t>(plan_->steps.size());
  }
  std::optional<ExecutionInfo> Describe(const Node& node) const override {
    return DescribeInPlan(*plan_, node);
  }

 private:
  const std::shared_ptr<const Plan> plan_;
};

}  // namespace

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
