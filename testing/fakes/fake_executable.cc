#include "dovetail/testing/fakes/fake_executable.h"

#include <utility>

#include "dovetail/core/base/bytes.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/binary/model_bytes.h"
#include "dovetail/core/plugin/ports.h"
#include "dovetail/core/properties/standard_properties.h"
#include "dovetail/testing/fakes/fake_context.h"

namespace dovetail {

absl::StatusOr<std::unique_ptr<Executable>> FakeExecutable::Make(
    std::shared_ptr<FakeDevice> device, std::unique_ptr<Model> model,
    const Config& config) {
  DOVETAIL_ASSIGN_OR_RETURN(std::shared_ptr<const LoadedProgram> program,
                            device->Load(std::move(model)));
  return std::unique_ptr<Executable>(
      new FakeExecutable(std::move(device), std::move(program), config));
}

FakeExecutable::FakeExecutable(std::shared_ptr<FakeDevice> device,
                               std::shared_ptr<const LoadedProgram> program,
                               const Config& config)
    : device_(std::move(device)),
      program_(std::move(program)),
      config_(config),
      inputs_(InputPorts(*program_->program.model)),
      outputs_(OutputPorts(*program_->program.model)) {}

absl::StatusOr<std::unique_ptr<ExecutionContext>> FakeExecutable::NewContext()
    const {
  DOVETAIL_RETURN_IF_ERROR(device_->CheckPresent());
  return std::make_unique<FakeContext>(*this);
}

absl::StatusOr<std::string> FakeExecutable::GetMetric(
    absl::string_view name) const {
  // One is computed while another is copied.
  if (name == properties::kOptimalNumberOfInferRequests) return "2";
  return Executable::GetMetric(name);
}

absl::StatusOr<std::string> FakeExecutable::Export() const {
  ByteWriter writer;
  DOVETAIL_RETURN_IF_ERROR(WriteModel(*program_->program.model, writer));
  return writer.Take();
}

}  // namespace dovetail
