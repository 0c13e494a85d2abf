#include "dovetail/backends/null/null_plugin.h"

#include <utility>

#include "dovetail/backends/null/null_executable.h"
#include "dovetail/core/plugin/query.h"
#include "dovetail/core/properties/standard_properties.h"

namespace dovetail {
namespace {

class NullPlugin : public Plugin {
 public:
  // The keys that the device heeds and the metrics that it gives. Core checks
  // values against them, and lists them to users.
  static absl::StatusOr<std::unique_ptr<Plugin>> Make() {
    auto plugin = std::make_unique<NullPlugin>();
    for (PropertySpec& spec : properties::DeviceMetrics()) {
      DOVETAIL_RETURN_IF_ERROR(plugin->properties_.Add(std::move(spec)));
    }
    DOVETAIL_RETURN_IF_ERROR(
        plugin->properties_.Add(properties::PerfCount()));
    return plugin;
  }

  absl::string_view name() const override { return "NULL"; }

  // One device, always there. A driver would be asked here.
  absl::StatusOr<std::vector<Device>> Devices() const override {
    return std::vector<Device>{{/*id=*/"", "Null device"}};
  }

  const PropertySchema& properties() const override { return properties_; }

  absl::StatusOr<std::string> GetMetric(
      absl::string_view name) const override {
    if (name == properties::kDeviceArchitecture) return "null";
    if (name == properties::kOptimizationCapabilities) return "FP32";
    return Plugin::GetMetric(name);
  }

  // The device's passes would run here: simplify, fuse, choose types.
  absl::Status Lower(Model&, const Config&) const override {
    return absl::OkStatus();
  }

  // Whoever computes nothing can do anything. Else: look up the kernel of the
  // node, and say in kUnimplemented what about it cannot be done.
  absl::Status Supports(const Node&) const override {
    return absl::OkStatus();
  }

  absl::StatusOr<std::unique_ptr<Executable>> Compile(
      std::unique_ptr<Model> model, const Config& config) const override {
    // Whoever made the model may have made mistakes.
    if (model == nullptr) return InvalidArgument("there is no model");
    DOVETAIL_RETURN_IF_ERROR(model->Verify());
    DOVETAIL_RETURN_IF_ERROR(Lower(*model, config));
    DOVETAIL_RETURN_IF_ERROR(CheckSupported(*this, *model));
    return std::make_unique<NullExecutable>(std::move(model), config);
  }

 private:
  PropertySchema properties_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<Plugin>> MakeNullPlugin() {
  return NullPlugin::Make();
}

}  // namespace dovetail
