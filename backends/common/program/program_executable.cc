#include "dovetail/backends/common/program/program_executable.h"

#include <utility>

#include "dovetail/backends/common/program/describe.h"
#include "dovetail/backends/common/program/program_context.h"

namespace dovetail {

ProgramExecutable::ProgramExecutable(absl::string_view device,
                                     LoweredModel lowered,
                                     const PluginCall& call, Config config)
    : Executable({std::move(lowered.inputs), std::move(lowered.outputs),
                  std::move(config)}),
      device_(device),
      variables_(std::move(lowered.variables)),
      optimized_out_(std::move(lowered.optimized_out)),
      model_(std::move(lowered.model)),
      variable_types_(VariableTypesOf(*model_)),
      streams_(call) {}

ProgramContextParts ProgramExecutable::context_parts() const {
  return {device_,
          *this,
          *program_,
          variables_,
          variable_types_,
          optimized_out_,
          program_->find_kernel(),
          shares_states_ ? &states_ : nullptr,
          denormals_as_zeros_};
}

absl::StatusOr<std::unique_ptr<ExecutionContext>>
ProgramExecutable::NewContext() const {
  return std::make_unique<ProgramContext>(context_parts(),
                                          streams_.executor().NextStream());
}

ExecutionInfo ProgramExecutable::execution_info(const Node& node) const {
  return DescribeNode(*program_, node);
}

absl::StatusOr<std::string> ProgramExecutable::GetMetric(
    absl::string_view name) const {
  auto value = streams_.Property(name);
  if (value.ok()) return value;
  return Executable::GetMetric(name);
}

}  // namespace dovetail
