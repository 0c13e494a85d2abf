#include "dovetail/backends/interpreter/testing/compile.h"

#include <utility>

#include "dovetail/backends/interpreter/interpreter_plugin.h"
#include "dovetail/core/ops/text/parse.h"
#include "gtest/gtest.h"

namespace dovetail {

const Plugin& Interpreter() {
  static const Plugin* const plugin = MakeInterpreterPlugin().value().release();
  return *plugin;
}

Config ConfigOf(const PropertyMap& properties) {
  PropertyLayers layers;
  layers.call = properties;
  layers.read_environment = false;
  auto config = Config::Resolve(Interpreter().properties(), layers);
  EXPECT_TRUE(config.ok()) << config.status();
  return config.ok() ? *std::move(config) : Config();
}

StandaloneCall CallOf(const PropertyMap& properties) {
  return StandaloneCall(ConfigOf(properties));
}

std::unique_ptr<Model> ParseModel(absl::string_view text) {
  auto model = ParseModelText(text);
  EXPECT_TRUE(model.ok()) << model.status();
  return model.ok() ? std::make_unique<Model>(*std::move(model))
                    : std::make_unique<Model>();
}

absl::StatusOr<std::shared_ptr<const Executable>> CompileText(
    absl::string_view text, const PropertyMap& properties) {
  auto executable =
      Interpreter().Compile(ParseModel(text), CallOf(properties));
  if (!executable.ok()) return executable.status();
  return std::shared_ptr<const Executable>(*std::move(executable));
}

std::unique_ptr<Request> RequestFor(absl::string_view text,
                                    const PropertyMap& properties) {
  auto executable = CompileText(text, properties);
  EXPECT_TRUE(executable.ok()) << executable.status();
  if (!executable.ok()) return nullptr;
  auto request = Request::Create(*std::move(executable));
  EXPECT_TRUE(request.ok()) << request.status();
  return request.ok() ? *std::move(request) : nullptr;
}

Tensor Floats(const Shape& shape, std::vector<double> values) {
  return Tensor::FromDoubles(ElementType::kF32, shape, values).value();
}

std::vector<double> OutputOf(Request& request, int i) {
  const auto tensor = request.Output(i);
  EXPECT_TRUE(tensor.ok()) << tensor.status();
  return tensor.ok() ? ToDoubleVector(*tensor) : std::vector<double>();
}

std::vector<double> RunOn(Request& request, const Tensor& input) {
  absl::Status status = request.SetInput(0, input);
  if (status.ok()) status = request.Infer();
  EXPECT_TRUE(status.ok()) << status;
  return status.ok() ? OutputOf(request) : std::vector<double>();
}

}  // namespace dovetail
