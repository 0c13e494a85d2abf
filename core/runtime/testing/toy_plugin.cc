#include "dovetail/core/runtime/testing/toy_plugin.h"

#include <utility>

#include "dovetail/core/base/status.h"
#include "dovetail/core/executor/inline_executor.h"
#include "dovetail/core/graph/testing/test_ops.h"
#include "dovetail/core/plugin/port_tensors.h"
#include "dovetail/core/plugin/ports.h"
#include "dovetail/core/plugin/query.h"
#include "dovetail/core/properties/standard_properties.h"

namespace dovetail {
namespace {

constexpr absl::string_view kPayload = "a toy's model";

class ToyContext : public ExecutionContext {
 public:
  explicit ToyContext(const Executable& executable)
      : executable_(executable),
        inputs_("input", executable.inputs()),
        outputs_("output", executable.outputs()) {
    stages_ = {
        SynchronousStage("execute", &executor_, [this] { return Run(); })};
  }

  absl::Status SetInput(int i, const Tensor& tensor) override {
    return inputs_.Set(i, tensor);
  }
  absl::Status SetOutput(int i, const Tensor& tensor) override {
    return outputs_.Set(i, tensor);
  }
  absl::StatusOr<Tensor> Input(int i) override { return inputs_.Get(i); }
  absl::StatusOr<Tensor> Output(int i) override { return outputs_.Get(i); }
  absl::Span<const Stage> stages() override { return stages_; }

 private:
  absl::Status Run() {
    const auto factor =
        static_cast<double>(executable_.config().GetInt("NUMBER"));
    for (size_t i = 0; i < executable_.outputs().size(); ++i) {
      const int port = static_cast<int>(i);
      DOVETAIL_ASSIGN_OR_RETURN(const Tensor input, inputs_.Get(port));
      DOVETAIL_ASSIGN_OR_RETURN(
          const Tensor output,
          outputs_.Destination(port, input.type(), input.shape()));
      for (int64_t k = 0; k < input.element_count(); ++k) {
        output.SetElement(k, factor * input.ElementAsDouble(k));
      }
      DOVETAIL_RETURN_IF_ERROR(outputs_.Store(port, output));
    }
    return absl::OkStatus();
  }

  const Executable& executable_;
  PortTensors inputs_, outputs_;
  InlineExecutor executor_;
  std::vector<Stage> stages_;
};

class ToyExecutable : public Executable {
 public:
  ToyExecutable(std::shared_ptr<Toy> toy, const Model& model,
                const Config& config)
      : toy_(std::move(toy)),
        config_(config),
        inputs_(InputPorts(model)),
        outputs_(OutputPorts(model)) {}

  absl::Span<const PortInfo> inputs() const override { return inputs_; }
  absl::Span<const PortInfo> outputs() const override { return outputs_; }
  const Config& config() const override { return config_; }
  absl::StatusOr<std::unique_ptr<ExecutionContext>> NewContext()
      const override {
    return std::make_unique<ToyContext>(*this);
  }
  absl::StatusOr<std::string> Export() const override {
    if (!toy_->can_export) return Executable::Export();
    return std::string(kPayload);
  }

 private:
  const std::shared_ptr<Toy> toy_;
  const Config config_;
  const std::vector<PortInfo> inputs_, outputs_;
};

class ToyPlugin : public Plugin {
 public:
  ToyPlugin(std::shared_ptr<Toy> toy, PropertySchema schema)
      : toy_(std::move(toy)), schema_(std::move(schema)) {}

  absl::string_view name() const override { return toy_->name; }
  absl::StatusOr<std::vector<Device>> Devices() const override {
    return toy_->devices;
  }
  const PropertySchema& properties() const override { return schema_; }
  absl::StatusOr<std::string> GetMetric(absl::string_view name) const override {
    if (name == properties::kDeviceArchitecture) return toy_->architecture;
    if (name == properties::kOptimizationCapabilities) {
      return toy_->capabilities;
    }
    return Plugin::GetMetric(name);
  }
  absl::Status Lower(Model&, const Config&) const override {
    return absl::OkStatus();
  }
  absl::Status Supports(const Node& node) const override {
    if (!node.Is(toy_->refused_type)) return absl::OkStatus();
    return Unimplemented("a toy has no ", toy_->refused_type);
  }
  absl::StatusOr<std::unique_ptr<Executable>> Compile(
      std::unique_ptr<Model> model, const Config& config) const override {
    DOVETAIL_RETURN_IF_ERROR(CheckSupported(*this, *model));
    ++toy_->compiled;
    return std::make_unique<ToyExecutable>(toy_, *model, config);
  }
  absl::StatusOr<std::unique_ptr<Executable>> Import(
      absl::string_view blob, const Config& config) const override {
    if (blob != kPayload) return DataLoss("this is no toy's model");
    ++toy_->imported;
    return std::make_unique<ToyExecutable>(toy_, SmallTestModel(), config);
  }

 private:
  const std::shared_ptr<Toy> toy_;
  const PropertySchema schema_;
};

}  // namespace

absl::Status RegisterToy(PluginRegistry& registry, std::shared_ptr<Toy> toy) {
  PropertySchema schema;
  for (PropertySpec& spec : properties::DeviceMetrics()) {
    DOVETAIL_RETURN_IF_ERROR(schema.Add(std::move(spec)));
  }
  for (const PropertySpec& spec :
       {IntProperty("NUMBER", 2, 0, 99, "What inputs are multiplied by."),
        BoolProperty("SWITCH", false, "Nothing."), properties::CacheDir(),
        properties::PerfCount(), properties::DeviceId(),
        properties::InferencePrecisionHint({"dynamic", "f32"})}) {
    DOVETAIL_RETURN_IF_ERROR(schema.Add(spec));
  }
  return registry.Register(
      toy->name, [toy, schema]() -> absl::StatusOr<std::unique_ptr<Plugin>> {
        return std::make_unique<ToyPlugin>(toy, schema);
      });
}

}  // namespace dovetail
