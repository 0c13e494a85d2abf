// Memory and handles with which one context runs a plan of Steps.
#ifndef DOVETAIL_BACKENDS_COMMON_STEPS_PLAN_INSTANCE_H_
#define DOVETAIL_BACKENDS_COMMON_STEPS_PLAN_INSTANCE_H_

#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "dovetail/backends/common/compiler/plan.h"
#include "dovetail/backends/common/plan/run_environment.h"
#include "dovetail/backends/common/program/static_plan.h"
#include "dovetail/backends/common/steps/step.h"
#include "dovetail/core/tensor/tensor.h"

namespace dovetail {

class PlanInstance : public StaticPlan::Instance {
 public:
  // All steps of the plan are of Step. kResourceExhausted when there is not
  // that much memory.
  static absl::StatusOr<std::unique_ptr<PlanInstance>> Create(
      std::shared_ptr<const Plan> plan);

  const Plan& plan() const { return *plan_; }

  // Looks between steps whether the inference is to be cancelled.
  absl::Status Run(absl::Span<const Tensor> inputs,
                   absl::Span<const Tensor> outputs,
                   RunEnvironment& environment) override;

 private:
  explicit PlanInstance(std::shared_ptr<const Plan> plan);
  void Resolve(absl::Span<const Tensor> inputs,
               absl::Span<const Tensor> outputs);

  const std::shared_ptr<const Plan> plan_;
  Tensor arena_;
  std::vector<std::unique_ptr<StepState>> states_;
  // Of all operands of all steps: inputs, outputs, scratch.
  std::vector<void*> pointers_;
};

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_COMMON_STEPS_PLAN_INSTANCE_H_
