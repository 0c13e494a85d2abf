#include "dovetail/backends/null/null_executable.h"

#include <utility>

#include "dovetail/backends/null/null_context.h"
#include "dovetail/core/plugin/ports/ports.h"
#include "dovetail/core/properties/standard_properties.h"

namespace dovetail {

NullExecutable::NullExecutable(LoweredModel lowered, const Config& config)
    : Executable({std::move(lowered.inputs), std::move(lowered.outputs), config}),
      model_(std::move(lowered.model)) {
  for (const auto& node : model_->nodes()) {
    ProfilingRecord record;
    record.name = node->name();
    record.type = std::string(node->op().type);
    record.kernel = "null";
    record.status = ProfilingRecord::Status::kOptimizedOut;
    layers_.push_back(std::move(record));
  }
}

absl::StatusOr<std::unique_ptr<ExecutionContext>> NullExecutable::NewContext()
    const {
  return std::make_unique<NullContext>(*this);
}

absl::StatusOr<std::string> NullExecutable::GetMetric(
    absl::string_view name) const {
  if (name == properties::kOptimalNumberOfInferRequests) return "1";
  return Executable::GetMetric(name);
}

}  // namespace dovetail
