#include "dovetail/backends/cpu/testing/compare.h"

#include <algorithm>
#include <limits>
#include <random>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "dovetail/backends/common/steps/plan_instance.h"
#include "dovetail/backends/cpu/compiler/compile_plan.h"
#include "dovetail/backends/cpu/steps/table.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/text/parse.h"
#include "dovetail/core/reference/evaluate.h"
#include "dovetail/testing/graphs/random_model.h"

namespace dovetail::cpu {
namespace {

using Tensors = std::vector<Tensor>;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

absl::StatusOr<Tensors> RunPlan(std::shared_ptr<const Plan> plan,
                                const Tensors& inputs, WorkTeam& team) {
  Tensors outputs;
  for (const PlanPort& port : plan->outputs) {
    DOVETAIL_ASSIGN_OR_RETURN(Tensor tensor,
                              Tensor::Allocate(port.type, port.shape));
    outputs.push_back(std::move(tensor));
  }
  DOVETAIL_ASSIGN_OR_RETURN(const auto instance,
                            PlanInstance::Create(std::move(plan)));
  const KernelEnvironment reference;
  RunEnvironment environment(&team, &reference);
  // Twice, as steps may keep something.
  for (int run = 0; run < 2; ++run) {
    DOVETAIL_RETURN_IF_ERROR(instance->Run(inputs, outputs, environment));
  }
  return outputs;
}

void NameSteps(Compared& compared) {
  for (const PlannedStep& step : compared.plan->steps) {
    if (step.type == "Reorder") {
      ++compared.reorders;
      continue;
    }
    if (!compared.steps.empty()) compared.steps += ", ";
    compared.steps += step.type;
    if (!step.fused.empty()) {
      absl::StrAppend(&compared.steps, "+", step.fused.size());
    }
  }
}

absl::Status RunBoth(absl::string_view text, const CompareOptions& options,
                     Compared& compared) {
  DOVETAIL_ASSIGN_OR_RETURN(Model parsed, ParseModelText(text));
  const auto model = std::make_shared<Model>(std::move(parsed));
  std::mt19937 generator(options.seed);
  DOVETAIL_RETURN_IF_ERROR(MakeConstants(*model, generator));
  Tensors inputs;
  for (const Node* parameter : model->parameters()) {
    DOVETAIL_ASSIGN_OR_RETURN(const Shape shape,
                              parameter->port().shape.ToShape());
    DOVETAIL_ASSIGN_OR_RETURN(
        Tensor tensor,
        RandomTensor(parameter->port().type, shape, generator,
                     absl::StrContains(parameter->name(), "small")));
    inputs.push_back(std::move(tensor));
  }
  WorkTeam team(options.settings.threads);
  WeightsCache weights;
  DOVETAIL_ASSIGN_OR_RETURN(
      compared.plan,
      CompilePlan(model, options.settings, AllTables(), weights, team));
  NameSteps(compared);
  DOVETAIL_ASSIGN_OR_RETURN(const Tensors got,
                            RunPlan(compared.plan, inputs, team));
  DOVETAIL_ASSIGN_OR_RETURN(const Tensors want,
                            EvaluateModel(*model, inputs, {}));
  for (size_t i = 0; i < want.size(); ++i) {
    compared.error = std::max(compared.error, DifferenceOf(got[i], want[i]));
  }
  return absl::OkStatus();
}

}  // namespace

std::string Compared::KernelOf(absl::string_view type) const {
  if (plan == nullptr) return "";
  for (const PlannedStep& step : plan->steps) {
    if (step.type == type) return step.kernel;
  }
  return "";
}

Compared Compare(absl::string_view model, const CompareOptions& options) {
  Compared compared;
  const absl::Status status = RunBoth(model, options, compared);
  if (!status.ok()) {
    compared.message = std::string(status.message());
    compared.error = kInfinity;
  }
  return compared;
}

}  // namespace dovetail::cpu
