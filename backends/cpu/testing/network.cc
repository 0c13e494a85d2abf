#include "dovetail/backends/cpu/testing/network.h"

#include <utility>

#include "dovetail/backends/cpu/cpu_plugin.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/plugin/testing/standalone_call.h"
#include "dovetail/core/reference/evaluate.h"
#include "dovetail/testing/graphs/random_model.h"
#include "gtest/gtest.h"

namespace dovetail::cpu {
namespace {

const Plugin& Device() {
  static const Plugin* const plugin = MakeCpuPlugin().value().release();
  return *plugin;
}

absl::StatusOr<std::shared_ptr<const Executable>> Compile(
    const Model& model, const PropertyMap& properties) {
  PropertyLayers layers;
  layers.call = properties;
  layers.call.emplace("INFERENCE_PRECISION_HINT", "f32");
  layers.read_environment = false;
  DOVETAIL_ASSIGN_OR_RETURN(
      const Config config, Config::Resolve(Device().properties(), layers));
  DOVETAIL_ASSIGN_OR_RETURN(std::unique_ptr<Executable> executable,
                            Device().Compile(model.Clone(), StandaloneCall(config)));
  return std::shared_ptr<const Executable>(std::move(executable));
}

absl::Status InferWith(Request& request, const std::vector<Tensor>& inputs) {
  for (size_t i = 0; i < inputs.size(); ++i) {
    DOVETAIL_RETURN_IF_ERROR(
        request.SetInput(static_cast<int>(i), inputs[i]));
  }
  return request.Infer();
}

}  // namespace

Network::Network(absl::string_view text, const PropertyMap& properties) {
  auto model = ParseWithConstants(text);
  EXPECT_TRUE(model.ok()) << model.status();
  model_ = model.ok() ? std::make_unique<Model>(*std::move(model))
                      : std::make_unique<Model>();
  auto executable = Compile(*model_, properties);
  EXPECT_TRUE(executable.ok()) << executable.status();
  if (executable.ok()) executable_ = *std::move(executable);
}

std::unique_ptr<Request> Network::NewRequest() const {
  if (executable_ == nullptr) return nullptr;
  auto request = Request::Create(executable_);
  EXPECT_TRUE(request.ok()) << request.status();
  return request.ok() ? *std::move(request) : nullptr;
}

std::vector<Tensor> Network::Inputs(const std::vector<Shape>& shapes,
                                    unsigned seed) const {
  return RandomInputs(*model_, shapes, seed);
}

std::string Network::Check(Request& request, const std::vector<Tensor>& inputs,
                           double tolerance, VariableValues* variables) const {
  const absl::Status status = InferWith(request, inputs);
  if (!status.ok()) return std::string(status.message());
  KernelEnvironment environment;
  environment.variables = variables;
  const auto want = EvaluateModel(*model_, inputs, environment);
  if (!want.ok()) return std::string(want.status().message());
  std::vector<Tensor> outputs;
  for (size_t i = 0; i < want->size(); ++i) {
    const auto got = request.Output(static_cast<int>(i));
    if (!got.ok()) return std::string(got.status().message());
    outputs.push_back(*got);
  }
  return FirstDifference(outputs, *want, tolerance);
}

}  // namespace dovetail::cpu
