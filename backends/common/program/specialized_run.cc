#include "dovetail/backends/common/program/specialized_run.h"

#include <utility>

#include "dovetail/backends/common/plan/step_clock.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/reference/evaluate.h"
#include "dovetail/core/tensor/shapes/axis_order.h"

namespace dovetail {
namespace {

absl::Status CheckFits(const SpecializedModel::Variable& variable,
                       const Tensor& value) {
  if (value.type() == variable.type && variable.shape.Contains(value.shape())) {
    return absl::OkStatus();
  }
  return InvalidArgument(
      "variable '", variable.id, "' is ", ElementTypeName(value.type()),
      value.shape().ToString(), ", want ", ElementTypeName(variable.type),
      variable.shape.ToString());
}

// Whether the program sees its axes in another order.
bool IsReordered(const SpecializedModel::Variable& variable) {
  return variable.growth.has_value() && !variable.growth->order.empty();
}

// As the variable is, without a copy.
absl::StatusOr<Tensor> Stored(const SpecializedModel::Variable& variable,
                              const Tensor& value) {
  if (!IsReordered(variable)) return value;
  return value.Permuted(InverseOrder(variable.growth->order));
}

}  // namespace

SpecializedRun::SpecializedRun(
    const SpecializedModel& specialized, PlanCompiler& compiler,
    absl::Span<const std::unique_ptr<ProgramState>> segment_states,
    std::vector<Tensor>& slots, std::vector<BodyPrograms::States>& body_states,
    std::vector<GrowingMemory>& variable_memory, RunEnvironment& environment)
    : specialized_(specialized),
      compiler_(compiler),
      segment_states_(segment_states),
      slots_(slots),
      body_states_(body_states),
      variable_memory_(variable_memory),
      environment_(environment) {
  body_states_.resize(specialized.barriers.size());
  variable_memory_.resize(specialized.variables.size());
}

absl::Status SpecializedRun::Run(absl::Span<const Tensor> inputs,
                                 StaticPlan::Instance* plan,
                                 PlaceOutputFn place_output) {
  slots_.assign(specialized_.slot_count, Tensor());
  for (size_t i = 0; i < inputs.size(); ++i) slots_[i] = inputs[i];
  for (const auto& [slot, value] : specialized_.constants) {
    slots_[slot] = value;
  }
  DOVETAIL_RETURN_IF_ERROR(LoadVariables(inputs));
  if (plan != nullptr) DOVETAIL_RETURN_IF_ERROR(RunPlan(*plan));
  for (size_t i = 0; i < specialized_.barriers.size(); ++i) {
    const SpecializedModel::Barrier& barrier = specialized_.barriers[i];
    DOVETAIL_RETURN_IF_ERROR(
        TimedStep(barrier.label, environment_.clock(),
                  [&] { return RunBarrier(barrier, body_states_[i]); }));
  }
  for (size_t i = 0; i < specialized_.segments.size(); ++i) {
    DOVETAIL_RETURN_IF_ERROR(RunSegment(static_cast<int>(i)));
  }
  DOVETAIL_RETURN_IF_ERROR(StoreOutputs(place_output));
  DOVETAIL_RETURN_IF_ERROR(StoreVariables());
  slots_.clear();
  return absl::OkStatus();
}

absl::Status SpecializedRun::RunPlan(StaticPlan::Instance& plan) {
  std::vector<Tensor> inputs, outputs;
  for (int slot : specialized_.plan_inputs) inputs.push_back(slots_[slot]);
  for (const PlanPort& port : specialized_.plan->outputs()) {
    const int slot =
        specialized_.first_plan_output + static_cast<int>(outputs.size());
    DOVETAIL_ASSIGN_OR_RETURN(Tensor tensor,
                              Allocate(slot, port.type, port.shape));
    outputs.push_back(std::move(tensor));
  }
  DOVETAIL_RETURN_IF_ERROR(plan.Run(inputs, outputs, environment_));
  for (size_t i = 0; i < outputs.size(); ++i) {
    slots_[specialized_.first_plan_output + i] = std::move(outputs[i]);
  }
  return absl::OkStatus();
}

// What a variable keeps is as large as all that is kept so far: keys and values
// of some hundred tokens take longer to get pages for than to copy.
absl::StatusOr<Tensor> SpecializedRun::Allocate(int slot, ElementType type,
                                                const Shape& shape) {
  for (size_t i = 0; i < specialized_.variables.size(); ++i) {
    const SpecializedModel::Variable& variable = specialized_.variables[i];
    if (variable.output != slot) continue;
    return variable.growth.has_value()
               ? variable_memory_[i].Append(slots_[variable.input], type, shape)
               : variable_memory_[i].Allocate(type, shape);
  }
  return compiler_.Allocate(type, shape);
}

absl::Status SpecializedRun::RunBarrier(
    const SpecializedModel::Barrier& barrier, BodyPrograms::States& states) {
  KernelEnvironment reference = environment_.reference();
  if (barrier.bodies != nullptr) {
    reference.run_body = [&](const Model& body,
                             absl::Span<const Tensor> inputs) {
      return barrier.bodies->Run(body, inputs, states, environment_);
    };
  }
  if (reference.check_cancelled != nullptr) {
    DOVETAIL_RETURN_IF_ERROR(reference.check_cancelled());
  }
  std::vector<Tensor> inputs;
  for (int slot : barrier.inputs) {
    inputs.push_back(slot < 0 ? Tensor() : slots_[slot]);
  }
  DOVETAIL_ASSIGN_OR_RETURN(std::vector<Tensor> outputs,
                            EvaluateNode(*barrier.node, inputs, reference));
  for (size_t i = 0; i < outputs.size(); ++i) {
    slots_[barrier.first_output + i] = std::move(outputs[i]);
  }
  return absl::OkStatus();
}

absl::Status SpecializedRun::RunSegment(int number) {
  const SpecializedModel::Segment& segment = specialized_.segments[number];
  std::vector<Tensor> inputs;
  for (int slot : segment.inputs) {
    inputs.push_back(slots_[slot]);
    if (inputs.back().is_contiguous()) continue;
    DOVETAIL_ASSIGN_OR_RETURN(inputs.back(), inputs.back().Clone());
  }
  const auto place = [&](int i, ElementType type,
                         const Shape& shape) -> absl::StatusOr<Tensor> {
    const int slot = segment.first_output + i;
    DOVETAIL_ASSIGN_OR_RETURN(Tensor tensor, Allocate(slot, type, shape));
    return slots_[slot] = std::move(tensor);
  };
  const auto run = [&](int by, ProgramState& state) {
    return specialized_.segments[by].program->Run(inputs, place, state,
                                                  environment_);
  };
  // Profiles tell layers apart.
  const bool by_alike = segment.alike >= 0 && environment_.clock() == nullptr;
  const int by = by_alike ? segment.alike : number;
  const absl::Status status = run(by, *segment_states_[by]);
  if (status.ok() || !by_alike || absl::IsCancelled(status)) return status;
  // An error names this one's layers.
  ProgramState state;
  return run(number, state);
}

absl::Status SpecializedRun::StoreOutputs(PlaceOutputFn place_output) {
  for (size_t i = 0; i < specialized_.outputs.size(); ++i) {
    const Tensor& value = slots_[specialized_.outputs[i]];
    DOVETAIL_ASSIGN_OR_RETURN(
        const Tensor place,
        place_output(static_cast<int>(i), value.type(), value.shape()));
    DOVETAIL_RETURN_IF_ERROR(place.CopyFrom(value));
  }
  return absl::OkStatus();
}

// ---- Variables ----

absl::Status SpecializedRun::LoadVariables(absl::Span<const Tensor> inputs) {
  if (specialized_.variables.empty()) return absl::OkStatus();
  const VariableValues* const values = environment_.reference().variables;
  if (values == nullptr) {
    return FailedPrecondition("variable '", specialized_.variables[0].id,
                              "': there is nowhere to keep variables");
  }
  bool all_are_there = true;
  for (size_t i = 0; i < specialized_.variables.size(); ++i) {
    const SpecializedModel::Variable& variable = specialized_.variables[i];
    if (variable.input < 0) continue;
    const auto it = values->find(variable.id);
    if (it == values->end() || !it->second.has_data()) {
      all_are_there = false;
      continue;
    }
    DOVETAIL_RETURN_IF_ERROR(CheckFits(variable, it->second));
    DOVETAIL_RETURN_IF_ERROR(LoadVariable(i, it->second));
  }
  return all_are_there ? absl::OkStatus() : LoadInitialValues(inputs);
}

// In the program's order of axes, contiguous.
absl::Status SpecializedRun::LoadVariable(size_t i, const Tensor& value) {
  const SpecializedModel::Variable& variable = specialized_.variables[i];
  Tensor& slot = slots_[variable.input];
  slot = value;
  if (IsReordered(variable)) {
    DOVETAIL_ASSIGN_OR_RETURN(slot, value.Permuted(variable.growth->order));
  }
  if (variable.growth.has_value() && variable.growth->gather.has_value()) {
    DOVETAIL_ASSIGN_OR_RETURN(slot,
                              Gathered(i, *variable.growth->gather, slot));
  }
  if (slot.is_contiguous()) return absl::OkStatus();
  DOVETAIL_ASSIGN_OR_RETURN(slot, slot.Clone());
  return absl::OkStatus();
}

// In the memory that the variable grows in, so that what is new is appended to
// what was taken.
absl::StatusOr<Tensor> SpecializedRun::Gathered(size_t i,
                                                const VariableGather& gather,
                                                const Tensor& value) {
  const Tensor& indices = slots_[gather.indices];
  if (TakesAll(indices, value.shape()[gather.axis])) return value;
  DOVETAIL_ASSIGN_OR_RETURN(
      const Tensor taken,
      variable_memory_[i].Allocate(
          value.type(), GatheredShape(gather, value.shape(), indices)));
  DOVETAIL_RETURN_IF_ERROR(GatherSlices(gather, value, indices, taken));
  return taken;
}

absl::Status SpecializedRun::LoadInitialValues(
    absl::Span<const Tensor> inputs) {
  std::vector<size_t> read;
  for (size_t i = 0; i < specialized_.variables.size(); ++i) {
    if (specialized_.variables[i].input >= 0) read.push_back(i);
  }
  std::vector<Tensor> values(read.size());
  const auto place = [&](int i, ElementType type,
                         const Shape& shape) -> absl::StatusOr<Tensor> {
    DOVETAIL_ASSIGN_OR_RETURN(values[i], compiler_.Allocate(type, shape));
    DOVETAIL_RETURN_IF_ERROR(
        CheckFits(specialized_.variables[read[i]], values[i]));
    return values[i];
  };
  ProgramState state;  // this is seldom
  DOVETAIL_RETURN_IF_ERROR(
      specialized_.initial_values->Run(inputs, place, state, environment_));
  for (size_t i = 0; i < read.size(); ++i) {
    const int slot = specialized_.variables[read[i]].input;
    if (slots_[slot].has_data()) continue;
    DOVETAIL_RETURN_IF_ERROR(LoadVariable(read[i], values[i]));
  }
  return absl::OkStatus();
}

absl::Status SpecializedRun::StoreVariables() {
  const auto input_count = static_cast<int>(specialized_.inputs.types.size());
  for (const SpecializedModel::Variable& variable : specialized_.variables) {
    if (variable.output < 0) continue;
    Tensor value = slots_[variable.output];
    // What segments make is new in each run, but an input is the caller's.
    if (variable.output < input_count) {
      DOVETAIL_ASSIGN_OR_RETURN(value, value.Clone());
    }
    DOVETAIL_ASSIGN_OR_RETURN(
        (*environment_.reference().variables)[variable.id],
        Stored(variable, value));
  }
  return absl::OkStatus();
}

}  // namespace dovetail
