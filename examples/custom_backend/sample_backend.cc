#include "sample_backend.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "dovetail/core/base/status.h"
#include "dovetail/core/executor/inline_executor.h"
#include "dovetail/core/pass/pass_manager.h"
#include "dovetail/core/plugin/ports/port_tensors.h"
#include "dovetail/core/properties/standard_properties.h"
#include "dovetail/core/reference/evaluate.h"
#include "dovetail/core/reference/kernel_table.h"
#include "dovetail/transformations/pipelines/common.h"

namespace {

using dovetail::Tensor;

// ---- What the device computes itself ----

absl::Status Relu(dovetail::KernelContext& context) {
  if (context.input(0).type() != dovetail::ElementType::kF32) {
    return dovetail::FindKernel(context.node().op())(context);
  }
  const auto in = context.input(0).span<float>();
  const auto out = context.output(0).mutable_span<float>();
  std::transform(in.begin(), in.end(), out.begin(),
                 [](float x) { return x > 0 ? x : 0; });
  return absl::OkStatus();
}

// Null: core's own.
dovetail::KernelFn FindOwnKernel(const dovetail::OpInfo& op) {
  return op.type == "Relu" && op.custom_opset.empty() ? &Relu : nullptr;
}

// ---- One inference at a time ----

class SampleExecutable;

class SampleContext : public dovetail::ExecutionContext {
 public:
  explicit SampleContext(const SampleExecutable& executable);

  absl::Span<const dovetail::Stage> stages() override { return stages_; }

 private:
  absl::Status Run();

  const SampleExecutable& executable_;
  dovetail::InlineExecutor executor_;
  std::vector<dovetail::Stage> stages_;
};

// ---- A compiled model ----

class SampleExecutable : public dovetail::Executable {
 public:
  SampleExecutable(dovetail::LoweredModel lowered,
                   const dovetail::Config& config)
      : Executable(
            {std::move(lowered.inputs), std::move(lowered.outputs), config}),
        model_(std::move(lowered.model)) {}

  const dovetail::Model* runtime_model() const override { return model_.get(); }
  absl::StatusOr<std::unique_ptr<dovetail::ExecutionContext>> NewContext()
      const override {
    return std::make_unique<SampleContext>(*this);
  }
  absl::StatusOr<std::string> GetMetric(absl::string_view name) const override {
    if (name == dovetail::properties::kOptimalNumberOfInferRequests) return "1";
    return Executable::GetMetric(name);
  }

 private:
  const std::unique_ptr<const dovetail::Model> model_;
};

SampleContext::SampleContext(const SampleExecutable& executable)
    : ExecutionContext(executable), executable_(executable) {
  stages_ = {dovetail::SynchronousStage("execute", &executor_,
                                        [this] { return Run(); })};
}

absl::Status SampleContext::Run() {
  std::vector<Tensor> inputs;
  for (size_t i = 0; i < executable_.inputs().size(); ++i) {
    DOVETAIL_ASSIGN_OR_RETURN(inputs.emplace_back(),
                              input_tensors().Get(static_cast<int>(i)));
  }
  dovetail::KernelEnvironment environment;
  environment.find_kernel = &FindOwnKernel;
  DOVETAIL_ASSIGN_OR_RETURN(
      const std::vector<Tensor> results,
      EvaluateModel(*executable_.runtime_model(), inputs, environment));
  for (size_t i = 0; i < results.size(); ++i) {
    const int port = static_cast<int>(i);
    DOVETAIL_ASSIGN_OR_RETURN(const Tensor output,
                              output_tensors().Destination(
                                  port, results[i].type(), results[i].shape()));
    DOVETAIL_RETURN_IF_ERROR(output.CopyFrom(results[i]));
    DOVETAIL_RETURN_IF_ERROR(output_tensors().Store(port, output));
  }
  return absl::OkStatus();
}

// ---- The kind of device ----

class SamplePlugin : public dovetail::Plugin {
 public:
  explicit SamplePlugin(dovetail::PropertySchema schema)
      : Plugin("SAMPLE", std::move(schema)) {}

  absl::StatusOr<std::vector<dovetail::Device>> Devices() const override {
    return std::vector<dovetail::Device>{{/*id=*/"", "Sample backend"}};
  }
  absl::Status Lower(dovetail::Model& model,
                     const dovetail::PluginCall&) const override {
    dovetail::PassManager passes("sample");
    dovetail::AddCommonPasses(passes);
    return passes.Run(model).status();
  }
  absl::StatusOr<dovetail::Support> Supports(
      const dovetail::Node& node, const dovetail::PluginCall&) const override {
    if (FindOwnKernel(node.op()) != nullptr) {
      return dovetail::Support{"native"};
    }
    if (node.op().Has(dovetail::kReadsState)) {
      return dovetail::Unimplemented(node.Describe(),
                                     ": the device has no variables");
    }
    if (dovetail::FindKernel(node.op()) == nullptr) {
      return dovetail::Unimplemented(node.Describe(), ": there is no kernel");
    }
    return dovetail::Support{"reference"};
  }
  absl::StatusOr<std::unique_ptr<dovetail::Executable>> CompileLowered(
      dovetail::LoweredModel lowered,
      const dovetail::PluginCall& call) const override {
    return std::make_unique<SampleExecutable>(std::move(lowered), call.config);
  }
  absl::StatusOr<std::string> GetMetric(
      absl::string_view name, const dovetail::PluginCall& call) const override {
    if (name == dovetail::properties::kDeviceArchitecture) return "sample";
    if (name == dovetail::properties::kOptimizationCapabilities) return "FP32";
    return Plugin::GetMetric(name, call);
  }
};

}  // namespace

absl::StatusOr<std::unique_ptr<dovetail::Plugin>> MakeSamplePlugin() {
  std::vector<dovetail::PropertySpec> specs =
      dovetail::properties::DeviceMetrics();
  specs.push_back(dovetail::properties::PerfCount());
  DOVETAIL_ASSIGN_OR_RETURN(dovetail::PropertySchema schema,
                            dovetail::PropertySchema::Make(std::move(specs)));
  return std::make_unique<SamplePlugin>(std::move(schema));
}
