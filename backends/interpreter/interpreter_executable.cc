#include "dovetail/backends/interpreter/interpreter_executable.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "dovetail/backends/common/host_streams.h"
#include "dovetail/backends/interpreter/interpreter_context.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/properties/standard_properties.h"

namespace dovetail {

absl::StatusOr<std::unique_ptr<Executable>> InterpreterExecutable::Create(
    LoweredModel lowered, const PluginCall& call) {
  DOVETAIL_ASSIGN_OR_RETURN(Schedule schedule, MakeSchedule(*lowered.model));
  return std::unique_ptr<Executable>(new InterpreterExecutable(
      std::move(lowered), std::move(schedule), call));
}

InterpreterExecutable::InterpreterExecutable(LoweredModel lowered,
                                             Schedule schedule,
                                             const PluginCall& call)
    : Executable({lowered.inputs, lowered.outputs, call.config}),
      lowered_(std::move(lowered)),
      schedule_(std::move(schedule)),
      variable_types_(VariableTypesOf(*lowered_.model)),
      streams_(StreamsFor(call)) {}

absl::StatusOr<std::unique_ptr<ExecutionContext>>
InterpreterExecutable::NewContext() const {
  return std::make_unique<InterpreterContext>(*this, streams_->NextStream());
}

absl::StatusOr<std::string> InterpreterExecutable::GetMetric(
    absl::string_view name) const {
  if (name == properties::kOptimalNumberOfInferRequests) {
    return absl::StrCat(streams_->stream_count());
  }
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
