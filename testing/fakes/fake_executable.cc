#include "dovetail/testing/fakes/fake_executable.h"

#include <utility>

#include "dovetail/core/base/status.h"
#include "dovetail/core/plugin/lowered/lowered_bytes.h"
#include "dovetail/core/properties/standard_properties.h"
#include "dovetail/testing/fakes/fake_context.h"

namespace dovetail {

absl::StatusOr<std::unique_ptr<Executable>> FakeExecutable::Make(
    std::shared_ptr<FakeDevice> device, LoweredModel lowered,
    const Config& config) {
  DOVETAIL_ASSIGN_OR_RETURN(std::shared_ptr<const LoadedProgram> program,
                            device->Load(std::move(lowered.model)));
  ExecutableInfo info = {std::move(lowered.inputs), std::move(lowered.outputs),
                         config};
  return std::unique_ptr<Executable>(new FakeExecutable(
      std::move(device), std::move(program), std::move(info)));
}

FakeExecutable::FakeExecutable(std::shared_ptr<FakeDevice> device,
                               std::shared_ptr<const LoadedProgram> program,
                               ExecutableInfo info)
    : Executable(std::move(info)),
      device_(std::move(device)),
      program_(std::move(program)) {
  device_->CountExecutable(1);
}

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

absl::Status FakeExecutable::Export(BlobWriter& blob) const {
  const LoweredView view = {*program_->program.model, inputs(), outputs(),
                            /*variables=*/{}, /*optimized_out=*/{}};
  return WriteLowered(view, WeightsPlace::kInside, blob);
}

}  // namespace dovetail
