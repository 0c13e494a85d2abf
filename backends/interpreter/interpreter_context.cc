#include "dovetail/backends/interpreter/interpreter_context.h"

#include <optional>
#include <utility>

#include "dovetail/backends/common/memory_overlap.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/executor/turns/turn.h"
#include "dovetail/core/properties/standard_properties.h"
#include "dovetail/core/reference/evaluate.h"

namespace dovetail {
namespace {

// The tensors of these ports that there are before an inference.
std::vector<Tensor> TensorsOf(PortTensors& ports, size_t count) {
  std::vector<Tensor> tensors;
  for (size_t i = 0; i < count; ++i) {
    auto tensor = ports.Get(static_cast<int>(i));
    if (tensor.ok()) tensors.push_back(*std::move(tensor));
  }
  return tensors;
}

}  // namespace

InterpreterContext::InterpreterContext(const InterpreterExecutable& executable,
                                       StreamsExecutor::Stream& stream)
    : HostContext("REFERENCE", executable, stream.tasks(),
                  executable.lowered().variables, executable.variable_types()),
      executable_(executable),
      slots_(executable.schedule().slot_count),
      timed_(executable.config().GetBool(properties::kPerfCount)) {
  environment_.executor = &stream.loops();
  environment_.variables = running_variables();
  environment_.allocate = [this](const Node& node, int output, ElementType type,
                                 const Shape& shape) {
    return AllocateFor(node, output, type, shape);
  };
  environment_.check_cancelled = [this] { return CheckCancelled(); };
  for (const auto& [slot, value] : executable.schedule().constants) {
    slots_[slot] = value;
  }
}

// ---- An inference ----

absl::Status InterpreterContext::Run() {
  // In a body the inference computes on what its loop has.
  std::optional<Turn> turn;
  if (!WorkTeam::InBody()) turn.emplace(environment_.executor->concurrency());
  write_in_place_ = !MemoryIsShared();
  const absl::Status status = RunSteps();
  DropTensors();
  return status;
}

absl::Status InterpreterContext::RunSteps() {
  std::optional<WorkTeam::CountHelpers> counted;
  if (timed_) {
    clock_.Begin();
    counted.emplace(clock_.helpers_ns());
  }
  DOVETAIL_RETURN_IF_ERROR(LoadInputs());
  for (const Schedule::Step& step : executable_.schedule().steps) {
    DOVETAIL_RETURN_IF_ERROR(CheckCancelled());
    DOVETAIL_RETURN_IF_ERROR(TimedStep(step.label, timed_ ? &clock_ : nullptr,
                                       [&] { return RunStep(step); }));
  }
  DOVETAIL_RETURN_IF_ERROR(CheckCancelled());
  return StoreOutputs();
}

absl::Status InterpreterContext::LoadInputs() {
  const std::vector<int>& parameters = executable_.schedule().parameters;
  for (size_t i = 0; i < parameters.size(); ++i) {
    Tensor& slot = slots_[parameters[i]];
    DOVETAIL_ASSIGN_OR_RETURN(slot, input_tensors().Get(static_cast<int>(i)));
    if (slot.is_contiguous()) continue;
    DOVETAIL_ASSIGN_OR_RETURN(slot, slot.Clone());
  }
  return absl::OkStatus();
}

absl::Status InterpreterContext::RunStep(const Schedule::Step& step) {
  std::vector<Tensor> inputs;
  for (int slot : step.inputs) {
    inputs.push_back(slot < 0 ? Tensor() : slots_[slot]);
  }
  step_ = &step;
  DOVETAIL_ASSIGN_OR_RETURN(std::vector<Tensor> outputs,
                            EvaluateNode(*step.node, inputs, environment_));
  if (outputs.size() != step.results.size()) {
    return Internal(step.node->Describe(), ": gave ", outputs.size(),
                    " outputs instead of ", step.results.size());
  }
  for (size_t i = 0; i < outputs.size(); ++i) {
    slots_[step.first_output + i] = std::move(outputs[i]);
  }
  for (int slot : step.frees) slots_[slot] = Tensor();
  return absl::OkStatus();
}

// Everything but constants.
void InterpreterContext::DropTensors() {
  const Schedule& schedule = executable_.schedule();
  for (int slot : schedule.parameters) slots_[slot] = Tensor();
  for (const Schedule::Step& step : schedule.steps) {
    for (size_t i = 0; i < step.results.size(); ++i) {
      slots_[step.first_output + i] = Tensor();
    }
  }
}

// ---- Outputs ----

absl::StatusOr<Tensor> InterpreterContext::AllocateFor(const Node& node,
                                                       int output,
                                                       ElementType type,
                                                       const Shape& shape) {
  const bool at_result = step_->node == &node && step_->results[output] != -1;
  if (at_result && write_in_place_) {
    return output_tensors().Destination(step_->results[output], type, shape);
  }
  return Tensor::AllocateUninitialized(type, shape);
}

bool InterpreterContext::MemoryIsShared() {
  return OutputsShareMemory(
      TensorsOf(input_tensors(), executable_.inputs().size()),
      TensorsOf(output_tensors(), executable_.outputs().size()));
}

absl::Status InterpreterContext::StoreOutputs() {
  const std::vector<int>& results = executable_.schedule().results;
  std::vector<Tensor> values;
  for (int slot : results) values.push_back(slots_[slot]);
  if (!write_in_place_) {
    // A value may be a view of an input that the first output overwrites.
    for (Tensor& value : values) {
      DOVETAIL_ASSIGN_OR_RETURN(value, value.Clone());
    }
  }
  for (size_t i = 0; i < values.size(); ++i) {
    DOVETAIL_RETURN_IF_ERROR(StoreOutput(static_cast<int>(i), values[i]));
  }
  return absl::OkStatus();
}

// Copies what is not in its place: a value that is a view of an input, of a
// constant or of another output must not be given to the user as such.
absl::Status InterpreterContext::StoreOutput(int i, const Tensor& value) {
  if (output_tensors().is_set(i)) return output_tensors().Store(i, value);
  DOVETAIL_ASSIGN_OR_RETURN(
      const Tensor place,
      output_tensors().Destination(i, value.type(), value.shape()));
  if (place.raw_data() != value.raw_data()) {
    DOVETAIL_RETURN_IF_ERROR(place.CopyFrom(value));
  }
  return output_tensors().Store(i, place);
}

// ---- Profiling ----

std::vector<ProfilingRecord> InterpreterContext::profiling() const {
  if (!timed_) return {};
  // Steps run in order, up to the one that has failed.
  std::vector<ProfilingRecord> records = clock_.records();
  const auto& steps = executable_.schedule().steps;
  for (size_t i = records.size(); i < steps.size(); ++i) {
    ProfilingRecord record;
    record.name = steps[i].label.name;
    record.type = steps[i].label.type;
    record.kernel = steps[i].label.kernel;
    records.push_back(std::move(record));
  }
  AddOptimizedOut(executable_.lowered().optimized_out, records);
  return records;
}

}  // namespace dovetail
