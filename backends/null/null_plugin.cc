#include "dovetail/backends/null/null_plugin.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "dovetail/backends/null/null_executable.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/properties/standard_properties.h"

namespace dovetail {
namespace {

class NullPlugin : public Plugin {
 public:
  explicit NullPlugin(PropertySchema properties)
      : Plugin("NULL", std::move(properties)) {}

  // One device, always there. A driver would be asked here.
  absl::StatusOr<std::vector<Device>> Devices() const override {
    return std::vector<Device>{{/*id=*/"", "Null device"}};
  }

  // The device's passes would run here: simplify, fuse, choose types.
  absl::Status Lower(Model&, const PluginCall&) const override {
    return absl::OkStatus();
  }

  // Whoever computes nothing can do anything. Else: look up the kernel of the
  // node, and say in kUnimplemented what about it cannot be done.
  absl::StatusOr<Support> Supports(const Node&,
                                   const PluginCall&) const override {
    return Support();
  }

  absl::StatusOr<std::unique_ptr<Executable>> CompileLowered(
      LoweredModel lowered, const PluginCall& call) const override {
    return std::make_unique<NullExecutable>(std::move(lowered), call.config);
  }

  absl::StatusOr<std::string> GetMetric(
      absl::string_view name, const PluginCall& call) const override {
    if (name == properties::kDeviceArchitecture) return "null";
    if (name == properties::kOptimizationCapabilities) return "FP32";
    return Plugin::GetMetric(name, call);
  }
};

}  // namespace

absl::StatusOr<std::unique_ptr<Plugin>> MakeNullPlugin() {
  // The keys that the device heeds and the metrics that it gives. Core checks
  // values against them, and lists them to users.
  std::vector<PropertySpec> specs = properties::DeviceMetrics();
  specs.push_back(properties::PerfCount());
  DOVETAIL_ASSIGN_OR_RETURN(PropertySchema schema,
                            PropertySchema::Make(std::move(specs)));
  return std::make_unique<NullPlugin>(std::move(schema));
}

}  // namespace dovetail
