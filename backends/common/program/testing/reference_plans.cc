#include "dovetail/backends/common/program/testing/reference_plans.h"

#include <utility>

#include "dovetail/core/base/status.h"
#include "dovetail/core/reference/evaluate.h"

namespace dovetail {
namespace {

class ReferencePlan : public StaticPlan {
 public:
  explicit ReferencePlan(std::shared_ptr<const Model> model)
      : model_(std::move(model)) {
    for (const Node* result : model_->results()) {
      const Value value = result->input(0);
      outputs_.push_back(
          {value.type(), value.shape().ToShape().value_or(Shape())});
    }
  }

  const std::vector<PlanPort>& outputs() const override { return outputs_; }
  absl::StatusOr<std::unique_ptr<Instance>> NewInstance() const override {
    return std::make_unique<ReferenceInstance>(*model_);
  }
  // As if all nodes were one step.
  int64_t step_count() const override { return 1; }
  std::optional<ExecutionInfo> Describe(const Node& node) const override {
    for (const auto& own : model_->nodes()) {
      if (!IsCopyOf(own.get(), node)) continue;
      ExecutionInfo info;
      info.kernel = "reference_plan";
      info.order = 0;
      return info;
    }
    return std::nullopt;
  }

 private:
  class ReferenceInstance : public Instance {
   public:
    explicit ReferenceInstance(const Model& model) : model_(model) {}

    absl::Status Run(absl::Span<const Tensor> inputs,
                     absl::Span<const Tensor> outputs,
                     RunEnvironment& environment) override {
      DOVETAIL_ASSIGN_OR_RETURN(
          const std::vector<Tensor> values,
          EvaluateModel(model_, inputs, environment.reference()));
      for (size_t i = 0; i < outputs.size(); ++i) {
        DOVETAIL_RETURN_IF_ERROR(outputs[i].CopyFrom(values[i]));
      }
      return absl::OkStatus();
    }

   private:
    const Model& model_;
  };

  const std::shared_ptr<const Model> model_;
  std::vector<PlanPort> outputs_;
};

}  // namespace

absl::StatusOr<std::shared_ptr<const StaticPlan>>
ReferencePlanCompiler::Compile(std::shared_ptr<const Model> model, WorkTeam&) {
  const std::lock_guard<std::mutex> lock(mutex_);
  ++plans_;
  return std::make_shared<const ReferencePlan>(std::move(model));
}

absl::StatusOr<Tensor> ReferencePlanCompiler::Allocate(ElementType type,
                                                       const Shape& shape) {
  const std::lock_guard<std::mutex> lock(mutex_);
  ++allocations_;
  return PlanCompiler::Allocate(type, shape);
}

}  // namespace dovetail
