// A model on the best device that can be had.
#ifndef DOVETAIL_BACKENDS_AUTO_AUTO_EXECUTABLE_H_
#define DOVETAIL_BACKENDS_AUTO_AUTO_EXECUTABLE_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "dovetail/backends/auto/auto_devices.h"
#include "dovetail/core/plugin/plugin.h"

namespace dovetail::automatic {

// What its users hold of the devices; when the last one goes, they are closed.
class AutoExecutable : public Executable {
 public:
  AutoExecutable(ExecutableInfo info, std::shared_ptr<AutoDevices> devices)
      : Executable(std::move(info)), devices_(std::move(devices)) {}
  ~AutoExecutable() override { devices_->Close(); }

  absl::StatusOr<std::unique_ptr<ExecutionContext>> NewContext()
      const override {
    return devices_->NewContext();
  }
  absl::StatusOr<std::string> GetMetric(absl::string_view name) const override {
    return devices_->GetMetric(name);
  }
  std::vector<PropertySpec> own_properties() const override {
    return devices_->own_properties();
  }
  absl::Status SetProperty(absl::string_view name,
                           absl::string_view value) const override {
    return devices_->SetProperty(name, value);
  }
  const Model* runtime_model() const override {
    return devices_->runtime_model();
  }
  ExecutionInfo execution_info(const Node& node) const override {
    return devices_->execution_info(node);
  }

 private:
  const std::shared_ptr<AutoDevices> devices_;
};

}  // namespace dovetail::automatic

#endif  // DOVETAIL_BACKENDS_AUTO_AUTO_EXECUTABLE_H_
