#include "dovetail/core/plugin/plugin.h"

#include <utility>

#include "dovetail/core/properties/standard_properties.h"

namespace dovetail {

Stage SynchronousStage(absl::string_view name, Executor* executor,
                       std::function<absl::Status()> run) {
  return Stage{std::string(name), executor,
               [run = std::move(run)](StageDone done) { done(run()); }};
}

absl::Status ExecutionContext::SetVariable(absl::string_view id,
                                           const Tensor&) {
  return NotFound("there is no variable '", id,
                  "': the device keeps no variables");
}

absl::StatusOr<std::string> Executable::GetMetric(
    absl::string_view name) const {
  return NotFound("the compiled model has no metric '", name, "'");
}

absl::StatusOr<std::string> Executable::Export() const {
  return Unimplemented("the device cannot export compiled models");
}

absl::StatusOr<std::string> Plugin::GetMetric(absl::string_view name) const {
  if (name == properties::kNativeOperations) return std::string();
  return NotFound("device ", this->name(), " has no metric '", name, "'");
}

absl::StatusOr<std::unique_ptr<Executable>> Plugin::Import(
    absl::string_view, const Config&) const {
  return Unimplemented("device ", name(), " cannot import compiled models");
}

}  // namespace dovetail
