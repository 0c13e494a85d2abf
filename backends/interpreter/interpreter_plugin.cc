#include "dovetail/backends/interpreter/interpreter_plugin.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "dovetail/backends/common/lowered_bytes.h"
#include "dovetail/backends/common/reference_operations.h"
#include "dovetail/backends/interpreter/interpreter_executable.h"
#include "dovetail/backends/interpreter/lowering.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/executor/cpu_info.h"
#include "dovetail/core/plugin/query.h"
#include "dovetail/core/properties/standard_properties.h"

namespace dovetail {
namespace {

constexpr int kMaxStreams = 64;

std::vector<PropertySpec> Specs() {
  std::vector<PropertySpec> specs = properties::DeviceMetrics();
  specs.push_back(properties::PerformanceHint());
  specs.push_back(properties::PerformanceHintNumRequests());
  specs.push_back(properties::ExecutionModeHint());
  specs.push_back(properties::NumStreams(kMaxStreams));
  specs.push_back(properties::InferenceNumThreads());
  specs.push_back(
      properties::InferencePrecisionHint({"f32", "f16", "bf16", "dynamic"}));
  specs.push_back(properties::PerfCount());
  specs.push_back(properties::CacheDir());
  specs.push_back(properties::PrintPasses());
  specs.push_back(
      ReadOnlyProperty(properties::kRangeForStreams, "two numbers",
                       "The least and the greatest number of streams."));
  specs.push_back(ReadOnlyProperty(
      properties::kRangeForAsyncInferRequests, "three numbers",
      "Least and greatest sensible number of requests, and the step."));
  return specs;
}

class InterpreterPlugin : public Plugin {
 public:
  static absl::StatusOr<std::unique_ptr<Plugin>> Make() {
    auto plugin = std::make_unique<InterpreterPlugin>();
    for (PropertySpec& spec : Specs()) {
      DOVETAIL_RETURN_IF_ERROR(plugin->properties_.Add(std::move(spec)));
    }
    return plugin;
  }

  absl::string_view name() const override { return "REFERENCE"; }

  absl::StatusOr<std::vector<Device>> Devices() const override {
    return std::vector<Device>{{/*id=*/"", "Reference interpreter"}};
  }

  const PropertySchema& properties() const override { return properties_; }

  absl::StatusOr<std::string> GetMetric(absl::string_view name) const override {
    if (name == properties::kDeviceArchitecture) return "reference";
    if (name == properties::kOptimizationCapabilities) {
      return "FP32 FP16 BF16 INT8 BIN EXPORT_IMPORT";
    }
    if (name == properties::kNativeOperations) return ReferenceOperations();
    if (name == properties::kRangeForStreams) {
      return absl::StrCat("1 ", kMaxStreams);
    }
    if (name == properties::kRangeForAsyncInferRequests) {
      return absl::StrCat("1 ", UsableCpus(), " 1");
    }
    return Plugin::GetMetric(name);
  }

  absl::Status Lower(Model& model, const Config& config) const override {
    return LowerForInterpreter(model, config);
  }

  absl::Status Supports(const Node& node) const override {
    return SupportsByReference(*this, node);
  }

  absl::StatusOr<std::unique_ptr<Executable>> Compile(
      std::unique_ptr<Model> model, const Config& config) const override {
    if (model == nullptr) return InvalidArgument("there is no model");
    DOVETAIL_RETURN_IF_ERROR(model->Verify());
    DOVETAIL_ASSIGN_OR_RETURN(LoweredModel lowered,
                              LowerModel(std::move(model), [&](Model& lowered) {
                                return Lower(lowered, config);
                              }));
    DOVETAIL_RETURN_IF_ERROR(CheckSupported(*this, *lowered.model));
    return InterpreterExecutable::Create(std::move(lowered), config);
  }

  absl::StatusOr<std::unique_ptr<Executable>> Import(
      absl::string_view blob, const Config& config) const override {
    DOVETAIL_ASSIGN_OR_RETURN(LoweredModel lowered, ReadLowered(blob));
    DOVETAIL_RETURN_IF_ERROR(CheckSupported(*this, *lowered.model));
    return InterpreterExecutable::Create(std::move(lowered), config);
  }

 private:
  PropertySchema properties_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<Plugin>> MakeInterpreterPlugin() {
  return InterpreterPlugin::Make();
}

}  // namespace dovetail
