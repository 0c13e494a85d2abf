#include "dovetail/backends/common/program/program.h"

#include <algorithm>
#include <utility>

#include "absl/algorithm/container.h"
#include "dovetail/backends/common/plan/step_clock.h"
#include "dovetail/backends/common/program/analysis/check_constants.h"
#include "dovetail/backends/common/program/analysis/infer_from_parameters.h"
#include "dovetail/backends/common/program/specialized_run.h"
#include "dovetail/core/base/catch_exceptions.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/graph/structural.h"
#include "dovetail/core/pass/pass_manager.h"

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

// The one of `list` for these inputs, by the signature of each. One for no
// others is faster than one in segments.
template <typename T, typename SignatureOf>
typename std::list<T>::iterator FindMatch(std::list<T>& list,
                                          absl::Span<const Tensor> inputs,
                                          SignatureOf signature_of) {
  auto found = list.end();
  for (auto it = list.begin(); it != list.end(); ++it) {
    const InputSignature& signature = *signature_of(*it);
    if (!signature.Matches(inputs)) continue;
    if (signature.is_static()) return it;
    if (found == list.end()) found = it;
  }
  return found;
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

// A copy for inputs of that signature, as simple as it can be then.
absl::StatusOr<std::shared_ptr<const Model>> Program::ModelFor(
    const InputSignature& inputs) const {
  // Passes may fold them.
  DOVETAIL_RETURN_IF_ERROR(CheckConstants(*model_));
  std::shared_ptr<Model> model = model_->Clone();
  for (size_t i = 0; i < inputs.shapes.size(); ++i) {
    auto* attributes = model->parameters()[i]->As<ParameterAttributes>();
    attributes->shape = Intersect(attributes->shape, inputs.shapes[i])
                            .value_or(inputs.shapes[i]);
    attributes->element_type = inputs.types[i];
  }
  DOVETAIL_RETURN_IF_ERROR(InferFromParameters(*model));
  PassManager passes("specialize");
  compiler_->AddPassesForShapes(passes);
  DOVETAIL_RETURN_IF_ERROR(passes.Run(*model).status());
  return std::shared_ptr<const Model>(std::move(model));
}

// What these inputs have in common with those of the last runs, when so many
// were new that more are to be expected.
std::optional<InputSignature> Program::CommonSignature(
    const InputSignature& inputs) const {
  if (!compiler_->splits_by_shape() || cache_.size() < kManyShapes) {
    return std::nullopt;
  }
  std::optional<InputSignature> common = inputs;
  auto known = cache_.begin();
  for (size_t i = 0; i < kManyShapes && common.has_value(); ++i, ++known) {
    common = InputSignature::Union(*common, (*known)->inputs);
  }
  if (!common.has_value() || absl::c_linear_search(whole_, *common)) {
    return std::nullopt;
  }
  return common;
}

absl::StatusOr<std::shared_ptr<const SpecializedModel>> Program::SpecializeFor(
    const InputSignature& inputs, WorkTeam& team) const {
  DOVETAIL_ASSIGN_OR_RETURN(std::shared_ptr<const Model> model,
                            ModelFor(inputs));
  if (inputs.is_static()) {
    return Specialize(std::move(model), compiler_, team, depth_);
  }
  return SpecializeInSegments(std::move(model), compiler_, team, depth_);
}

std::shared_ptr<const SpecializedModel> Program::FindCached(
    absl::Span<const Tensor> inputs) const {
  const auto it = FindMatch(cache_, inputs,
                            [](const auto& known) { return &known->inputs; });
  if (it == cache_.end()) return nullptr;
  cache_.splice(cache_.begin(), cache_, it);
  return cache_.front();
}

bool Program::IsInProgress(absl::Span<const Tensor> inputs) const {
  return std::any_of(
      in_progress_.begin(), in_progress_.end(),
      [&](const InputSignature& one) { return one.Matches(inputs); });
}

absl::StatusOr<std::shared_ptr<const SpecializedModel>> Program::Find(
    absl::Span<const Tensor> inputs, WorkTeam& team) const {
  const InputSignature exact = InputSignature::Of(inputs);
  std::unique_lock<std::mutex> lock(mutex_);
  for (;;) {
    if (auto known = FindCached(inputs)) return known;
    if (IsInProgress(inputs)) {
      // Another stream compiles for the same shapes. Should it fail, this one
      // tries, and tells its own error.
      one_is_made_.wait(lock);
      continue;
    }
    const std::optional<InputSignature> common = CommonSignature(exact);
    auto made = MakeUnlocked(common.value_or(exact), team, lock);
    // What does not work in segments, such as inference of shapes of which less
    // is known, is no error.
    const bool is_made = made.ok() && *made != nullptr;
    if (is_made || !common.has_value()) return made;
    whole_.push_front(*common);
    if (whole_.size() > kMaxSpecialized) whole_.pop_back();
  }
}

// Without the lock: those who need shapes that are known do not wait.
absl::StatusOr<std::shared_ptr<const SpecializedModel>> Program::MakeUnlocked(
    const InputSignature& inputs, WorkTeam& team,
    std::unique_lock<std::mutex>& lock) const {
  const auto mine = in_progress_.insert(in_progress_.end(), inputs);
  lock.unlock();
  auto made = CatchExceptions([] { return "compiling for new shapes"; },
                              [&] { return SpecializeFor(inputs, team); });
  lock.lock();
  in_progress_.erase(mine);
  if (made.ok() && *made != nullptr) {
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
  const auto it = static_model_ != nullptr
                      ? instances.begin()
                      : FindMatch(instances, inputs, [](const auto& instance) {
                          return &instance.specialized->inputs;
                        });
  if (it != instances.end()) {
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
  for (size_t i = 0; i < instance.specialized->segments.size(); ++i) {
    instance.segments.push_back(std::make_unique<ProgramState>());
  }
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
    return SpecializedRun(specialized, *compiler_, instance->segments,
                          instance->slots, instance->bodies,
                          instance->variable_memory, environment)
        .Run(inputs, instance->plan.get(), place_output);
  }
  const std::vector<PlanPort>& ports = specialized.plan->outputs();
  instance->outputs.resize(ports.size());
  for (size_t i = 0; i < ports.size(); ++i) {
    DOVETAIL_ASSIGN_OR_RETURN(
        instance->outputs[i],
        place_output(static_cast<int>(i), ports[i].type, ports[i].shape));
  }
  absl::Status status =
      instance->plan->Run(inputs, instance->outputs, environment);
  // Another context may use the instance next.
  for (Tensor& output : instance->outputs) output = Tensor();
  return status;
}

}  // namespace dovetail
