#include "dovetail/core/runtime/testing/toy_plugin.h"

#include <utility>

#include "dovetail/core/base/status.h"
#include "dovetail/core/blob/blob_reader.h"
#include "dovetail/core/blob/blob_writer.h"
#include "dovetail/core/executor/inline_executor.h"
#include "dovetail/core/graph/testing/test_ops.h"
#include "dovetail/core/plugin/ports/ports.h"
#include "dovetail/core/properties/standard_properties.h"

namespace dovetail {
namespace {

constexpr absl::string_view kPayload = "a toy's model";

class ToyContext : public ExecutionContext {
 public:
  explicit ToyContext(const Executable& executable)
      : ExecutionContext(executable), executable_(executable) {
    stages_ = {
        SynchronousStage("execute", &executor_, [this] { return Run(); })};
  }

  absl::Span<const Stage> stages() override { return stages_; }

 private:
  absl::Status Run() {
    const auto factor =
        static_cast<double>(executable_.config().GetInt("NUMBER"));
    for (size_t i = 0; i < executable_.outputs().size(); ++i) {
      const int port = static_cast<int>(i);
      DOVETAIL_ASSIGN_OR_RETURN(const Tensor input, input_tensors().Get(port));
      DOVETAIL_ASSIGN_OR_RETURN(
          const Tensor output,
          output_tensors().Destination(port, input.type(), input.shape()));
      for (int64_t k = 0; k < input.element_count(); ++k) {
        output.SetElement(k, factor * input.ElementAsDouble(k));
      }
      DOVETAIL_RETURN_IF_ERROR(output_tensors().Store(port, output));
    }
    return absl::OkStatus();
  }

  const Executable& executable_;
  InlineExecutor executor_;
  std::vector<Stage> stages_;
};

class ToyExecutable : public Executable {
 public:
  ToyExecutable(std::shared_ptr<Toy> toy, const Model& model,
                const Config& config)
      : Executable({InputPorts(model), OutputPorts(model), config}),
        toy_(std::move(toy)) {}

  absl::StatusOr<std::unique_ptr<ExecutionContext>> NewContext()
      const override {
    return std::make_unique<ToyContext>(*this);
  }
  absl::StatusOr<std::string> GetMetric(absl::string_view name) const override {
    if (name == "MOOD") return toy_->mood;
    return Executable::GetMetric(name);
  }
  std::vector<PropertySpec> own_properties() const override {
    return {EnumProperty("MOOD", {"GOOD", "BAD"}, "GOOD", "How it feels.")};
  }
  absl::Status SetProperty(absl::string_view name,
                           absl::string_view value) const override {
    if (name != "MOOD") return Executable::SetProperty(name, value);
    toy_->mood = std::string(value);
    return absl::OkStatus();
  }
  absl::Status Export(BlobWriter& blob) const override {
    if (!toy_->can_export) return Executable::Export(blob);
    return blob.AddSection("toy", kPayload);
  }

 private:
  const std::shared_ptr<Toy> toy_;
};

class ToyPlugin : public Plugin {
 public:
  ToyPlugin(std::shared_ptr<Toy> toy, PropertySchema schema)
      : Plugin(toy->name, std::move(schema)), toy_(std::move(toy)) {}

  absl::StatusOr<std::vector<Device>> Devices() const override {
    return toy_->devices;
  }
  absl::StatusOr<std::string> GetMetric(
      absl::string_view name, const PluginCall& call) const override {
    if (name == properties::kDeviceArchitecture) return toy_->architecture;
    if (name == properties::kOptimizationCapabilities) {
      return "FP32 EXPORT_IMPORT";
    }
    return Plugin::GetMetric(name, call);
  }
  std::string CacheIdentity(const PluginCall&) const override {
    return toy_->identity;
  }
  absl::Status Lower(Model&, const PluginCall&) const override {
    return absl::OkStatus();
  }
  absl::StatusOr<Support> Supports(const Node& node,
                                   const PluginCall&) const override {
    if (!node.Is(OpType::Named(toy_->refused_type))) return Support();
    return Unimplemented("a toy has no ", toy_->refused_type);
  }
  absl::StatusOr<std::unique_ptr<Executable>> CompileLowered(
      LoweredModel lowered, const PluginCall& call) const override {
    ++toy_->compiled;
    return std::make_unique<ToyExecutable>(toy_, *lowered.model, call.config);
  }
  absl::StatusOr<std::unique_ptr<Executable>> Import(
      const PluginCall& call) const override {
    DOVETAIL_ASSIGN_OR_RETURN(const BlobBytes bytes,
                              call.blob->Section("toy"));
    if (bytes.view() != kPayload) return DataLoss("this is no toy's model");
    ++toy_->imported;
    return std::make_unique<ToyExecutable>(toy_, SmallTestModel(), call.config);
  }

 private:
  const std::shared_ptr<Toy> toy_;
};

}  // namespace

absl::Status RegisterToy(PluginRegistry& registry, std::shared_ptr<Toy> toy) {
  std::vector<PropertySpec> specs = properties::DeviceMetrics();
  for (PropertySpec& spec : properties::CacheProperties()) {
    specs.push_back(std::move(spec));
  }
  specs.push_back(
      IntProperty("NUMBER", 2, 0, 99, "What inputs are multiplied by."));
  specs.push_back(BoolProperty("SWITCH", false, "Nothing."));
  specs.push_back(properties::PerfCount());
  specs.push_back(properties::DeviceId());
  specs.push_back(properties::InferencePrecisionHint(
      {"dynamic", "f32", "bf16", "f16"}));
  DOVETAIL_ASSIGN_OR_RETURN(PropertySchema schema,
                            PropertySchema::Make(std::move(specs)));
  DOVETAIL_RETURN_IF_ERROR(schema.AddAlias("OLD_NUMBER", "NUMBER"));
  PluginInfo info;
  info.name = toy->name;
  info.priority = toy->priority;
  return registry.Register(
      std::move(info),
      [toy, schema]() -> absl::StatusOr<std::unique_ptr<Plugin>> {
        return std::make_unique<ToyPlugin>(toy, schema);
      });
}

}  // namespace dovetail
