#include "dovetail/backends/cpu/program/program.h"

#include <algorithm>
#include <utility>

#include "dovetail/backends/common/plan/step_clock.h"
#include "dovetail/backends/cpu/program/check_constants.h"
#include "dovetail/backends/cpu/program/infer_from.h"
#include "dovetail/core/base/catch_exceptions.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/graph/structural.h"
#include "dovetail/core/pass/pass_manager.h"
#include "dovetail/core/reference/evaluate.h"
#include "dovetail/transformations/simplify/common_subexpressions.h"
#include "dovetail/transformations/simplify/constant_folding.h"
#include "dovetail/transformations/simplify/dead_code.h"
#include "dovetail/transformations/simplify/nop_elimination.h"

namespace dovetail::cpu {
namespace {

bool Fits(absl::Span<const ElementType> types, absl::Span<const Shape> shapes,
          absl::Span<const Tensor> inputs) {
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (types[i] != inputs[i].type() || shapes[i] != inputs[i].shape()) {
      return false;
    }
  }
  return true;
}

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

// Has what `work` takes noted, where there is a clock.
template <typename Work>
auto Timed(const StepLabel& label, RunEnvironment& environment, Work work) {
  StepClock* const clock = environment.clock();
  if (clock != nullptr) clock->Start(label);
  auto result = work();
  if (clock != nullptr) clock->Stop();
  return result;
}

// Runs a specialised model that is more than one plan.
class Runner {
 public:
  Runner(const Specialized& specialized, ProgramState* rest_state,
         std::vector<Tensor>& slots,
         std::vector<BodyPrograms::States>& body_states,
         RunEnvironment& environment)
      : specialized_(specialized),
        rest_state_(rest_state),
        slots_(slots),
        body_states_(body_states),
        environment_(environment) {
    body_states_.resize(specialized.decisions.size());
  }

  absl::Status Run(absl::Span<const Tensor> inputs, PlanInstance* plan,
                   PlaceOutputFn place_output) {
    slots_.assign(specialized_.slot_count, Tensor());
    for (size_t i = 0; i < inputs.size(); ++i) slots_[i] = inputs[i];
    for (const auto& [slot, value] : specialized_.constants) {
      slots_[slot] = value;
    }
    if (plan != nullptr) DOVETAIL_RETURN_IF_ERROR(RunPlan(*plan));
    for (size_t i = 0; i < specialized_.decisions.size(); ++i) {
      const Specialized::Decision& decision = specialized_.decisions[i];
      DOVETAIL_RETURN_IF_ERROR(Timed(decision.label, environment_, [&] {
        return Decide(decision, body_states_[i]);
      }));
    }
    if (specialized_.rest != nullptr) DOVETAIL_RETURN_IF_ERROR(RunRest());
    for (size_t i = 0; i < specialized_.outputs.size(); ++i) {
      const Tensor& value = slots_[specialized_.outputs[i]];
      DOVETAIL_ASSIGN_OR_RETURN(
          const Tensor place,
          place_output(static_cast<int>(i), value.type(), value.shape()));
      DOVETAIL_RETURN_IF_ERROR(place.CopyFrom(value));
    }
    slots_.clear();
    return absl::OkStatus();
  }

 private:
  absl::Status RunPlan(PlanInstance& plan) {
    std::vector<Tensor> inputs, outputs;
    for (int slot : specialized_.plan_inputs) inputs.push_back(slots_[slot]);
    for (const PlanPort& port : plan.plan().outputs) {
      DOVETAIL_ASSIGN_OR_RETURN(
          Tensor tensor, Tensor::AllocateUninitialized(port.type, port.shape));
      outputs.push_back(std::move(tensor));
    }
    DOVETAIL_RETURN_IF_ERROR(plan.Run(inputs, outputs, environment_));
    for (size_t i = 0; i < outputs.size(); ++i) {
      slots_[specialized_.first_plan_output + i] = std::move(outputs[i]);
    }
    return absl::OkStatus();
  }

  absl::Status Decide(const Specialized::Decision& decision,
                      BodyPrograms::States& states) {
    KernelEnvironment reference = environment_.reference();
    if (decision.bodies != nullptr) {
      reference.run_body = [&](const Model& body,
                               absl::Span<const Tensor> inputs) {
        return decision.bodies->Run(body, inputs, states, environment_);
      };
    }
    if (reference.check_cancelled != nullptr) {
      DOVETAIL_RETURN_IF_ERROR(reference.check_cancelled());
    }
    std::vector<Tensor> inputs;
    for (int slot : decision.inputs) {
      inputs.push_back(slot < 0 ? Tensor() : slots_[slot]);
    }
    DOVETAIL_ASSIGN_OR_RETURN(
        std::vector<Tensor> outputs,
        EvaluateNode(*decision.node, inputs, reference));
    for (size_t i = 0; i < outputs.size(); ++i) {
      slots_[decision.first_output + i] = std::move(outputs[i]);
    }
    return absl::OkStatus();
  }

  absl::Status RunRest() {
    std::vector<Tensor> inputs;
    for (int slot : specialized_.rest_inputs) {
      inputs.push_back(slots_[slot]);
      if (inputs.back().is_contiguous()) continue;
      DOVETAIL_ASSIGN_OR_RETURN(inputs.back(), inputs.back().Clone());
    }
    const auto place = [&](int i, ElementType type,
                           const Shape& shape) -> absl::StatusOr<Tensor> {
      DOVETAIL_ASSIGN_OR_RETURN(Tensor tensor, Tensor::Allocate(type, shape));
      return slots_[specialized_.first_rest_output + i] = std::move(tensor);
    };
    return specialized_.rest->Run(inputs, place, *rest_state_, environment_);
  }

  const Specialized& specialized_;
  ProgramState* const rest_state_;
  std::vector<Tensor>& slots_;
  std::vector<BodyPrograms::States>& body_states_;
  RunEnvironment& environment_;
};

// A body as a program.
class CompiledBody : public BodyProgram {
 public:
  explicit CompiledBody(std::unique_ptr<Program> program)
      : program_(std::move(program)) {}

  std::unique_ptr<State> NewState() const override {
    return std::make_unique<BodyState>();
  }

  absl::StatusOr<std::vector<Tensor>> Run(
      absl::Span<const Tensor> inputs, State& state,
      RunEnvironment& environment) const override {
    std::vector<Tensor> contiguous(inputs.begin(), inputs.end());
    for (Tensor& input : contiguous) {
      if (input.is_contiguous()) continue;
      DOVETAIL_ASSIGN_OR_RETURN(input, input.Clone());
    }
    std::vector<Tensor> outputs(program_->model().results().size());
    const auto place = [&](int i, ElementType type,
                           const Shape& shape) -> absl::StatusOr<Tensor> {
      DOVETAIL_ASSIGN_OR_RETURN(outputs[i], Tensor::Allocate(type, shape));
      return outputs[i];
    };
    DOVETAIL_RETURN_IF_ERROR(
        program_->Run(contiguous, place,
                      static_cast<BodyState&>(state).program, environment));
    return outputs;
  }

 private:
  struct BodyState : State {
    ProgramState program;
  };

  const std::unique_ptr<Program> program_;
};

}  // namespace

ProgramState::~ProgramState() = default;

std::shared_ptr<ProgramResources> MakeResources(CompileSettings settings) {
  auto resources = std::make_shared<ProgramResources>();
  resources->settings = std::move(settings);
  // A step that compiles a body belongs to a program that has the resources.
  resources->settings.compile_body =
      [weak = std::weak_ptr<ProgramResources>(resources)](
          const Model& body, WorkTeam& team)
      -> absl::StatusOr<std::unique_ptr<BodyProgram>> {
    // Not owned: the node that has it outlives what is compiled of it.
    std::shared_ptr<const Model> model(std::shared_ptr<void>(), &body);
    DOVETAIL_ASSIGN_OR_RETURN(
        std::unique_ptr<Program> program,
        Program::Create(std::move(model), weak.lock(), team));
    return std::make_unique<CompiledBody>(std::move(program));
  };
  return resources;
}

absl::StatusOr<std::unique_ptr<Program>> Program::Create(
    std::shared_ptr<const Model> model,
    std::shared_ptr<ProgramResources> resources, WorkTeam& team, int depth) {
  std::unique_ptr<Program> program(
      new Program(std::move(model), std::move(resources), depth));
  if (HasStaticInputs(*program->model_)) {
    DOVETAIL_ASSIGN_OR_RETURN(
        program->only_,
        Specialize(program->model_, program->resources_, team, depth));
  }
  return program;
}

// ---- The right shapes ----

absl::StatusOr<std::shared_ptr<const Specialized>> Program::SpecializeFor(
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
  return Specialize(std::move(model), resources_, team, depth_);
}

std::shared_ptr<const Specialized> Program::FindKnown(
    absl::Span<const Tensor> inputs) const {
  for (auto it = known_.begin(); it != known_.end(); ++it) {
    if (!Fits((*it)->input_types, (*it)->input_shapes, inputs)) continue;
    known_.splice(known_.begin(), known_, it);
    return known_.front();
  }
  return nullptr;
}

bool Program::IsBeingMade(absl::Span<const Tensor> inputs) const {
  return std::any_of(in_work_.begin(), in_work_.end(), [&](const InWork& one) {
    return Fits(one.types, one.shapes, inputs);
  });
}

absl::StatusOr<std::shared_ptr<const Specialized>> Program::Find(
    absl::Span<const Tensor> inputs, WorkTeam& team) const {
  std::unique_lock<std::mutex> lock(mutex_);
  for (;;) {
    if (auto known = FindKnown(inputs)) return known;
    if (!IsBeingMade(inputs)) break;
    // Another stream compiles for the same shapes. Should it fail, this one
    // tries, and tells its own error.
    one_is_made_.wait(lock);
  }
  const auto mine = in_work_.emplace(in_work_.end());
  for (const Tensor& input : inputs) {
    mine->types.push_back(input.type());
    mine->shapes.push_back(input.shape());
  }
  // Without the lock: those who need shapes that are known do not wait.
  lock.unlock();
  auto made = CatchExceptions([] { return "compiling for new shapes"; },
                              [&] { return SpecializeFor(inputs, team); });
  lock.lock();
  in_work_.erase(mine);
  if (made.ok()) {
    known_.push_front(*made);
    if (known_.size() > kMaxSpecialized) known_.pop_back();
  }
  one_is_made_.notify_all();
  return made;
}

absl::StatusOr<ProgramState::Instance*> Program::InstanceFor(
    absl::Span<const Tensor> inputs, ProgramState& state,
    RunEnvironment& environment) const {
  auto& instances = state.instances_;
  for (auto it = instances.begin(); it != instances.end(); ++it) {
    if (only_ == nullptr && !Fits(it->specialized->input_types,
                                  it->specialized->input_shapes, inputs))
      continue;
    instances.splice(instances.begin(), instances, it);
    return &instances.front();
  }
  DOVETAIL_ASSIGN_OR_RETURN(ProgramState::Instance instance,
                            Timed(PreparationLabel(), environment, [&] {
                              return NewInstance(inputs, environment.team());
                            }));
  instances.push_front(std::move(instance));
  if (instances.size() > kMaxInstances) instances.pop_back();
  return &instances.front();
}

absl::StatusOr<ProgramState::Instance> Program::NewInstance(
    absl::Span<const Tensor> inputs, WorkTeam& team) const {
  ProgramState::Instance instance;
  instance.specialized = only_;
  if (only_ == nullptr) {
    DOVETAIL_ASSIGN_OR_RETURN(instance.specialized, Find(inputs, team));
  }
  if (instance.specialized->plan != nullptr) {
    DOVETAIL_ASSIGN_OR_RETURN(
        instance.plan, PlanInstance::Create(instance.specialized->plan));
  }
  instance.rest = std::make_unique<ProgramState>();
  return instance;
}

std::shared_ptr<const Specialized> Program::Last() const {
  if (only_ != nullptr) return only_;
  std::lock_guard<std::mutex> lock(mutex_);
  return known_.empty() ? nullptr : known_.front();
}

// ---- A run ----

absl::Status Program::Run(absl::Span<const Tensor> inputs,
                          PlaceOutputFn place_output, ProgramState& state,
                          RunEnvironment& environment) const {
  DOVETAIL_ASSIGN_OR_RETURN(ProgramState::Instance* const instance,
                            InstanceFor(inputs, state, environment));
  const Specialized& specialized = *instance->specialized;
  if (!specialized.is_one_plan) {
    return Runner(specialized, instance->rest.get(), instance->slots,
                  instance->bodies, environment)
        .Run(inputs, instance->plan.get(), place_output);
  }
  const std::vector<PlanPort>& ports = specialized.plan->outputs;
  instance->outputs.resize(ports.size());
  for (size_t i = 0; i < ports.size(); ++i) {
    DOVETAIL_ASSIGN_OR_RETURN(
        instance->outputs[i],
        place_output(static_cast<int>(i), ports[i].type, ports[i].shape));
  }
  return instance->plan->Run(inputs, instance->outputs, environment);
}

}  // namespace dovetail::cpu
