#include "dovetail/backends/interpreter/interpreter_plugin.h"

#include <string>
#include <utility>
#include <vector>

#include "dovetail/backends/common/host_plugin.h"
#include "dovetail/backends/interpreter/interpreter_executable.h"
#include "dovetail/backends/interpreter/lowering.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/properties/standard_properties.h"

namespace dovetail {
namespace {

constexpr int kMaxStreams = 64;

class InterpreterPlugin : public HostPlugin {
 public:
  InterpreterPlugin()
      : HostPlugin({"REFERENCE", "reference", kMaxStreams,
                    {"f32", "f16", "bf16", "dynamic"}}) {}

  absl::StatusOr<std::vector<Device>> Devices() const override {
    return std::vector<Device>{{/*id=*/"", "Reference interpreter"}};
  }

  absl::StatusOr<std::string> GetMetric(absl::string_view name) const override {
    if (name == properties::kOptimizationCapabilities) {
      // Quantised networks are computed in floats, as their files say.
      return "FP32 FP16 BF16 BIN EXPORT_IMPORT";
    }
    return HostPlugin::GetMetric(name);
  }

  absl::Status Lower(Model& model, const Config& config) const override {
    return LowerForInterpreter(model, config);
  }

 private:
  absl::StatusOr<std::unique_ptr<Executable>> Create(
      LoweredModel lowered, const Config& config) const override {
    return InterpreterExecutable::Create(std::move(lowered), config);
  }
};

}  // namespace

absl::StatusOr<std::unique_ptr<Plugin>> MakeInterpreterPlugin() {
  auto plugin = std::make_unique<InterpreterPlugin>();
  DOVETAIL_RETURN_IF_ERROR(plugin->Initialize());
  return plugin;
}

}  // namespace dovetail
