#include "dovetail/backends/interpreter/interpreter_executable.h"

#include <utility>

#include "dovetail/backends/interpreter/interpreter_context.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/properties/standard_properties.h"

namespace dovetail {
absl::StatusOr<std::unique_ptr<Executable>> InterpreterExecutable::Create(
    LoweredModel lowered, const Config& config) {
  DOVETAIL_ASSIGN_OR_RETURN(Schedule schedule, MakeSchedule(*lowered.model));
  return std::unique_ptr<Executable>(new InterpreterExecutable(
      std::move(lowered), std::move(schedule), config));
}

InterpreterExecutable::InterpreterExecutable(LoweredModel lowered,
                                             Schedule schedule,
                                             const Config& config)
    : Executable({lowered.inputs, lowered.outputs, config}),
      lowered_(std::move(lowered)),
      schedule_(std::move(schedule)),
      variable_types_(VariableTypesOf(*lowered_.model)),
      streams_(config) {}

absl::StatusOr<std::unique_ptr<ExecutionContext>>
InterpreterExecutable::NewContext() const {
  StreamsExecutor::Stream& stream = streams_.executor().NextStream();
  return std::make_unique<InterpreterContext>(*this, stream);
}

absl::StatusOr<std::string> InterpreterExecutable::GetMetric(
    absl::string_view name) const {
  auto value = streams_.Property(name);
  if (value.ok()) return value;
  return Executable::GetMetric(name);
}

absl::Status InterpreterExecutable::Export(BlobWriter& blob) const {
  const bool small =
      config().GetString(properties::kCacheMode) == "OPTIMIZE_SIZE";
  return WriteLowered(ViewOf(lowered_),
                      small ? WeightsPlace::kInTheirFile : WeightsPlace::kInside,
                      blob);
}

}  // namespace dovetail
