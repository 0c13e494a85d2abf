// A compiled model of the fake device.
#ifndef DOVETAIL_TESTING_FAKES_FAKE_EXECUTABLE_H_
#define DOVETAIL_TESTING_FAKES_FAKE_EXECUTABLE_H_

#include <memory>
#include <string>
#include <vector>

#include "dovetail/core/plugin/plugin.h"
#include "dovetail/testing/fakes/device/fake_device.h"

namespace dovetail {

class FakeExecutable : public Executable {
 public:
  // Loads its program into the device.
  static absl::StatusOr<std::unique_ptr<Executable>> Make(
      std::shared_ptr<FakeDevice> device, LoweredModel lowered,
      const Config& config);

  ~FakeExecutable() override { device_->CountExecutable(-1); }

  const Model* runtime_model() const override {
    return program_->program.model.get();
  }
  absl::StatusOr<std::unique_ptr<ExecutionContext>> NewContext() const override;
  absl::StatusOr<std::string> GetMetric(absl::string_view name) const override;
  absl::Status Export(BlobWriter& blob) const override;

  FakeDevice& device() const { return *device_; }
  const std::shared_ptr<const LoadedProgram>& program() const {
    return program_;
  }

 private:
  FakeExecutable(std::shared_ptr<FakeDevice> device,
                 std::shared_ptr<const LoadedProgram> program,
                 ExecutableInfo info);

  // Outlives the program: it is in the device's memory.
  const std::shared_ptr<FakeDevice> device_;
  const std::shared_ptr<const LoadedProgram> program_;
};

}  // namespace dovetail

#endif  // DOVETAIL_TESTING_FAKES_FAKE_EXECUTABLE_H_
