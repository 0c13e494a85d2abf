#include "dovetail/backends/common/program/program_context.h"

#include <optional>
#include <utility>

#include "dovetail/backends/common/memory_overlap.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/executor/cpus/float_control.h"
#include "dovetail/core/executor/turns/turn.h"
#include "dovetail/core/properties/standard_properties.h"

namespace dovetail {

ProgramContext::ProgramContext(const ProgramContextParts& parts,
                               StreamsExecutor::Stream& stream)
    : HostContext(parts.device, parts.executable, stream.tasks(),
                  parts.variables, parts.variable_types),
      parts_(parts),
      stream_(stream),
      environment_(&stream.team(), &reference_),
      loaded_(parts.executable.inputs().size()),
      placed_(parts.executable.outputs().size()) {
  reference_.find_kernel = parts.find_kernel;
  reference_.executor = &stream.loops();
  reference_.variables = running_variables();
  reference_.check_cancelled = [this] { return CheckCancelled(); };
  if (parts.executable.config().GetBool(properties::kPerfCount)) {
    environment_.set_clock(&clock_);
  }
}

// ---- An inference ----

absl::Status ProgramContext::Run() {
  // In a body the inference computes on what its loop has.
  std::optional<Turn> turn;
  if (parts_.takes_turns && !WorkTeam::InBody()) {
    turn.emplace(stream_.threads());
  }
  const WorkTeam::Session session(stream_.team());
  const FloatControl control = FloatControl::OfThread();
  const ScopedFloatControl scope(
      parts_.denormals_as_zeros ? control.WithDenormalsAsZeros() : control);
  std::optional<WorkTeam::CountHelpers> counted;
  if (environment_.clock() != nullptr) {
    clock_.Begin();
    counted.emplace(clock_.helpers_ns());
  }
  DOVETAIL_RETURN_IF_ERROR(CheckCancelled());
  DOVETAIL_RETURN_IF_ERROR(LoadInputs());
  DOVETAIL_RETURN_IF_ERROR(OutputsAreFree() ? RunInPlace()
                                            : RunToTemporaries());
  return CheckCancelled();
}

absl::Status ProgramContext::LoadInputs() {
  for (size_t i = 0; i < loaded_.size(); ++i) {
    DOVETAIL_ASSIGN_OR_RETURN(loaded_[i],
                              input_tensors().Get(static_cast<int>(i)));
    if (loaded_[i].is_contiguous() && loaded_[i].is_on_host()) continue;
    DOVETAIL_ASSIGN_OR_RETURN(loaded_[i], loaded_[i].Clone());
  }
  return absl::OkStatus();
}

// Whether plans can write all outputs where they are to be: no output that
// there is before the inference is in a device's memory, or shares its memory
// with an input or another output.
bool ProgramContext::OutputsAreFree() {
  for (size_t i = 0; i < placed_.size(); ++i) {
    placed_[i] = Tensor();
    if (!output_tensors().is_set(static_cast<int>(i))) continue;
    auto tensor = output_tensors().Get(static_cast<int>(i));
    if (tensor.ok()) placed_[i] = *std::move(tensor);
    if (!placed_[i].is_on_host()) return false;
  }
  return !OutputsShareMemory(loaded_, placed_);
}

absl::Status ProgramContext::RunInPlace() {
  return RunInto([this](int i, ElementType type,
                        const Shape& shape) -> absl::StatusOr<Tensor> {
    DOVETAIL_ASSIGN_OR_RETURN(placed_[i],
                              output_tensors().Destination(i, type, shape));
    return placed_[i];
  });
}

// Into memory that is nobody's, from where the outputs are copied.
absl::Status ProgramContext::RunToTemporaries() {
  return RunInto([this](int i, ElementType type,
                        const Shape& shape) -> absl::StatusOr<Tensor> {
    DOVETAIL_ASSIGN_OR_RETURN(placed_[i], Tensor::Allocate(type, shape));
    return placed_[i];
  });
}

absl::Status ProgramContext::RunInto(PlaceOutputFn place) {
  DOVETAIL_RETURN_IF_ERROR(RunProgram(place));
  for (size_t i = 0; i < placed_.size(); ++i) {
    DOVETAIL_RETURN_IF_ERROR(
        output_tensors().Store(static_cast<int>(i), placed_[i]));
  }
  return absl::OkStatus();
}

absl::Status ProgramContext::RunProgram(PlaceOutputFn place) {
  if (parts_.states == nullptr) {
    return parts_.program.Run(loaded_, place, own_state_, environment_);
  }
  const ProgramStatePool::Borrowed state(*parts_.states, &stream_);
  return parts_.program.Run(loaded_, place, *state, environment_);
}

// ---- Profiling ----

std::vector<ProfilingRecord> ProgramContext::profiling() const {
  std::vector<ProfilingRecord> records = clock_.records();
  if (environment_.clock() == nullptr) return records;
  AddOptimizedOut(parts_.optimized_out, records);
  return records;
}

}  // namespace dovetail
