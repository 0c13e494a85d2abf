#include "dovetail/backends/common/program/program.h"

#include <algorithm>
#include <utility>

#include "dovetail/backends/common/plan/step_clock.h"
#include "dovetail/backends/common/program/analysis/check_constants.h"
#include "dovetail/backends/common/program/analysis/infer_from_parameters.h"
#include "dovetail/backends/common/program/specialized_run.h"
#include "dovetail/core/base/catch_exceptions.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/graph/structural.h"
#include "dovetail/core/pass/pass_manager.h"
#include "dovetail/transformations/simplify/common_subexpressions.h"
#include "dovetail/transformations/simplify/constant_folding.h"
#include "dovetail/transformations/simplify/dead_code.h"
#include "dovetail/transformations/simplify/nop_elimination.h"

namespace dovetail {
namespace {

bool HasStaticInputs(const Model& model) {
  for (const Node* node : model.parameters()) {
    if (node->port().shape.is_dynamic() ||
        node->port().type == ElementType::kDynamic) {
      return false;
    }
  }
  return true;
}

const StepLabel& PreparationLabel() {
  static const auto& label =
      *new StepLabel{"new input shapes", "Compile", "specialize"};
  return label;
}

}  // namespace

ProgramState::~ProgramState() = default;

absl::StatusOr<std::unique_ptr<Program>> Program::Create(
    std::shared_ptr<const Model> model, std::shared_ptr<PlanCompiler> compiler,
    WorkTeam& team, int depth) {
  std::unique_ptr<Program> program(
      new Program(std::move(model), std::move(compiler), depth));
  if (HasStaticInputs(*program->model_)) {
    DOVETAIL_ASSIGN_OR_RETURN(
        program->static_model_,
        Specialize(program->model_, program->compiler_, team, depth));
  }
  return program;
}

// ---- The right shapes ----

absl::StatusOr<std::shared_ptr<const SpecializedModel>> Program::SpecializeFor(
    absl::Span<const Tensor> inputs, WorkTeam& team) const {
  // Passes may fold them.
  DOVETAIL_RETURN_IF_ERROR(CheckConstants(*model_));
  std::shared_ptr<Model> model = model_->Clone();
  for (size_t i = 0; i < inputs.size(); ++i) {
    auto* attributes = model->parameters()[i]->As<ParameterAttributes>();
    attributes->shape = inputs[i].shape();
    attributes->element_type = inputs[i].type();
  }
  DOVETAIL_RETURN_IF_ERROR(InferFromParameters(*model));
  // The model is as simple as it can be without shapes. What becomes constant
  // with them is found at once: a second round costs more than it finds.
  PassManager passes("specialize");
  passes.Add<ConstantFolding>();
  passes.Add<NopElimination>();
  passes.Add<CommonSubexpressions>();
  passes.Add<DeadCode>();
  DOVETAIL_RETURN_IF_ERROR(passes.Run(*model).status());
  return Specialize(std::move(model), compiler_, team, depth_);
}

std::shared_ptr<const SpecializedModel> Program::FindCached(
    absl::Span<const Tensor> inputs) const {
  for (auto it = cache_.begin(); it != cache_.end(); ++it) {
    if (!(*it)->inputs.Matches(inputs)) continue;
    cache_.splice(cache_.begin(), cache_, it);
    return cache_.front();
  }
  return nullptr;
}

bool Program::IsInProgress(absl::Span<const Tensor> inputs) const {
  return std::any_of(
      in_progress_.begin(), in_progress_.end(),
      [&](const InputSignature& one) { return one.Matches(inputs); });
}

absl::StatusOr<std::shared_ptr<const SpecializedModel>> Program::Find(
    absl::Span<const Tensor> inputs, WorkTeam& team) const {
  std::unique_lock<std::mutex> lock(mutex_);
  for (;;) {
    if (auto known = FindCached(inputs)) return known;
    if (!IsInProgress(inputs)) break;
    // Another stream compiles for the same shapes. Should it fail, this one
    // tries, and tells its own error.
    one_is_made_.wait(lock);
  }
  const auto mine =
      in_progress_.insert(in_progress_.end(), InputSignature::Of(inputs));
  // Without the lock: those who need shapes that are known do not wait.
  lock.unlock();
  auto made = CatchExceptions([] { return "compiling for new shapes"; },
                              [&] { return SpecializeFor(inputs, team); });
  lock.lock();
  in_progress_.erase(mine);
  if (made.ok()) {
    cache_.push_front(*made);
    if (cache_.size() > kMaxSpecialized) cache_.pop_back();
  }
  one_is_made_.notify_all();
  return made;
}

absl::StatusOr<ProgramState::Instance*> Program::InstanceFor(
    absl::Span<const Tensor> inputs, ProgramState& state,
    RunEnvironment& environment) const {
  auto& instances = state.instances_;
  for (auto it = instances.begin(); it != instances.end(); ++it) {
    if (static_model_ == nullptr && !it->specialized->inputs.Matches(inputs)) {
      continue;
    }
    instances.splice(instances.begin(), instances, it);
    return &instances.front();
  }
  DOVETAIL_ASSIGN_OR_RETURN(
      ProgramState::Instance instance,
      TimedStep(PreparationLabel(), environment.clock(),
                [&] { return NewInstance(inputs, environment.team()); }));
  instances.push_front(std::move(instance));
  if (instances.size() > kMaxInstances) instances.pop_back();
  return &instances.front();
}

absl::StatusOr<ProgramState::Instance> Program::NewInstance(
    absl::Span<const Tensor> inputs, WorkTeam& team) const {
  ProgramState::Instance instance;
  instance.specialized = static_model_;
  if (static_model_ == nullptr) {
    DOVETAIL_ASSIGN_OR_RETURN(instance.specialized, Find(inputs, team));
  }
  if (instance.specialized->plan != nullptr) {
    DOVETAIL_ASSIGN_OR_RETURN(instance.plan,
                              instance.specialized->plan->NewInstance());
  }
  instance.continuation = std::make_unique<ProgramState>();
  return instance;
}

std::shared_ptr<const SpecializedModel> Program::Last() const {
  if (static_model_ != nullptr) return static_model_;
  std::lock_guard<std::mutex> lock(mutex_);
  return cache_.empty() ? nullptr : cache_.front();
}

// ---- A run ----

absl::Status Program::Run(absl::Span<const Tensor> inputs,
                          PlaceOutputFn place_output, ProgramState& state,
                          RunEnvironment& environment) const {
  DOVETAIL_ASSIGN_OR_RETURN(ProgramState::Instance* const instance,
                            InstanceFor(inputs, state, environment));
  const SpecializedModel& specialized = *instance->specialized;
  if (!specialized.is_one_plan) {
    return SpecializedRun(specialized, *compiler_, instance->continuation.get(),
                          instance->slots, instance->bodies, environment)
        .Run(inputs, instance->plan.get(), place_output);
  }
  const std::vector<PlanPort>& ports = specialized.plan->outputs();
  instance->outputs.resize(ports.size());
  for (size_t i = 0; i < ports.size(); ++i) {
    DOVETAIL_ASSIGN_OR_RETURN(
        instance->outputs[i],
        place_output(static_cast<int>(i), ports[i].type, ports[i].shape));
  }
  return instance->plan->Run(inputs, instance->outputs, environment);
}

}  // namespace dovetail
