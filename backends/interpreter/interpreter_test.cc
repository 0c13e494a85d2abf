// What the interpreter does from a text-form model to its results. What all
// devices must do is in testing/conformance.

#include <memory>
#include <string>
#include <vector>

#include "dovetail/backends/interpreter/interpreter_plugin.h"
#include "dovetail/core/graph/model.h"
#include "dovetail/core/ops/text/parse.h"
#include "dovetail/core/plugin/plugin.h"
#include "dovetail/core/plugin/query.h"
#include "dovetail/core/properties/standard_properties.h"
#include "dovetail/core/request/request.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const Plugin& Interpreter() {
  static const Plugin* const plugin =
      MakeInterpreterPlugin().value().release();
  return *plugin;
}

std::unique_ptr<Model> Parse(absl::string_view text) {
  auto model = ParseModelText(text);
  EXPECT_TRUE(model.ok()) << model.status();
  return model.ok() ? model->Clone() : std::make_unique<Model>();
}

absl::StatusOr<std::shared_ptr<const Executable>> Compile(
    absl::string_view text, const PropertyMap& properties = {}) {
  PropertyLayers layers;
  layers.call = properties;
  layers.read_environment = false;
  const auto config = Config::Resolve(Interpreter().properties(), layers);
  if (!config.ok()) return config.status();
  auto executable = Interpreter().Compile(Parse(text), *config);
  if (!executable.ok()) return executable.status();
  return std::shared_ptr<const Executable>(*std::move(executable));
}

// A request for a model that compiles.
std::unique_ptr<Request> RequestFor(absl::string_view text,
                                    const PropertyMap& properties = {}) {
  auto executable = Compile(text, properties);
  EXPECT_TRUE(executable.ok()) << executable.status();
  if (!executable.ok()) return nullptr;
  auto request = Request::Create(*std::move(executable));
  EXPECT_TRUE(request.ok()) << request.status();
  return request.ok() ? *std::move(request) : nullptr;
}

Tensor Floats(const Shape& shape, std::vector<double> values) {
  return Tensor::FromDoubles(ElementType::kF32, shape, values).value();
}

std::vector<double> OutputOf(Request& request, int i = 0) {
  const auto tensor = request.Output(i);
  EXPECT_TRUE(tensor.ok()) << tensor.status();
  return tensor.ok() ? ToDoubleVector(*tensor) : std::vector<double>();
}

constexpr char kTwiceAndRelu[] = R"(model "small"
  %x = Parameter-0() {shape: [2,2], element_type: f32}  # x
  %two = Constant-0() {value: f32[] {2}}  # two
  %twice = Multiply-1(%x, %two) {}  # twice
  %relu = Relu-0(%twice) {}  # relu
  %out = Result-0(%relu) {}  # out
)";

TEST(InterpreterTest, ComputesWhatTheModelSays) {
  const auto request = RequestFor(kTwiceAndRelu);
  ASSERT_NE(request, nullptr);
  ASSERT_TRUE(request->SetInput(0, Floats({2, 2}, {1, -2, 3, -4})).ok());
  const absl::Status status = request->Infer();
  ASSERT_TRUE(status.ok()) << status;
  EXPECT_THAT(OutputOf(*request), ElementsAre(2, 0, 6, 0));
}

}  // namespace
}  // namespace dovetail
