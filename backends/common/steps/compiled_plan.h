// A plan of the host's steps, for programs.
#ifndef DOVETAIL_BACKENDS_COMMON_STEPS_COMPILED_PLAN_H_
#define DOVETAIL_BACKENDS_COMMON_STEPS_COMPILED_PLAN_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "dovetail/backends/common/compiler/describe_plan.h"
#include "dovetail/backends/common/compiler/plan.h"
#include "dovetail/backends/common/program/static_plan.h"
#include "dovetail/backends/common/steps/plan_instance.h"

namespace dovetail {

class CompiledPlan : public StaticPlan {
 public:
  // All steps of the plan are of Step.
  explicit CompiledPlan(std::shared_ptr<const Plan> plan)
      : plan_(std::move(plan)) {}

  const Plan& plan() const { return *plan_; }

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
  std::vector<int64_t> ArenaBytes() const override {
    return plan_->arena_bytes;
  }
  std::vector<MemoryRegion> Memory() const override { return plan_->memory; }

 private:
  const std::shared_ptr<const Plan> plan_;
};

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_COMMON_STEPS_COMPILED_PLAN_H_
