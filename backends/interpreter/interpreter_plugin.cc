#include "dovetail/backends/interpreter/interpreter_plugin.h"

#include <string>
#include <utility>
#include <vector>

#include "dovetail/backends/common/host/host_plugin.h"
#include "dovetail/backends/interpreter/interpreter_executable.h"
#include "dovetail/backends/interpreter/lowering.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/properties/standard_properties.h"

namespace dovetail {
namespace {

constexpr int kMaxStreams = 64;

class InterpreterPlugin : public HostPlugin {
 public:
  using HostPlugin::HostPlugin;

  absl::StatusOr<std::vector<Device>> Devices() const override {
    return std::vector<Device>{{/*id=*/"", "Reference interpreter"}};
  }

  absl::StatusOr<std::string> GetMetric(
      absl::string_view name, const PluginCall& call) const override {
    if (name == properties::kOptimizationCapabilities) {
      // Quantized networks are computed in floats, as their files say.
      return "FP32 FP16 BF16 BIN EXPORT_IMPORT";
    }
    return HostPlugin::GetMetric(name, call);
  }

  absl::Status Lower(Model& model, const PluginCall& call) const override {
    return LowerForInterpreter(model, call.config);
  }

  absl::StatusOr<std::unique_ptr<Executable>> CompileLowered(
      LoweredModel lowered, const PluginCall& call) const override {
    return InterpreterExecutable::Create(std::move(lowered), call);
  }
};

}  // namespace

absl::StatusOr<std::unique_ptr<Plugin>> MakeInterpreterPlugin() {
  const HostPluginTraits traits = {
      "REFERENCE", "reference", kMaxStreams, {"f32", "f16", "bf16", "dynamic"}};
  DOVETAIL_ASSIGN_OR_RETURN(PropertySchema schema, HostProperties(traits));
  return std::make_unique<InterpreterPlugin>(traits, std::move(schema));
}

}  // namespace dovetail
