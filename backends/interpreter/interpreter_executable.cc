#include "dovetail/backends/interpreter/interpreter_executable.h"

#include <utility>

#include "absl/strings/str_join.h"
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
      streams_(call) {}

// Every tensor lies in row-major order, in the type that the model says.
ExecutionInfo InterpreterExecutable::execution_info(const Node& node) const {
  ExecutionInfo info;
  const std::vector<absl::string_view> layouts(node.output_count(), "plain");
  info.layouts = absl::StrJoin(layouts, ",");
  for (size_t i = 0; i < schedule_.steps.size(); ++i) {
    if (schedule_.steps[i].node != &node) continue;
    info.kernel = schedule_.steps[i].label.kernel;
    info.precision = std::string(ElementTypeName(node.port().type));
    info.order = static_cast<int64_t>(i);
  }
  return info;
}

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
