#include "dovetail/backends/gpu/custom/layers/run_layer.h"

#include <cmath>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "dovetail/backends/gpu/gpu_plugin.h"
#include "dovetail/backends/gpu/testing/compare_plans.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/text/parse.h"
#include "dovetail/core/plugin/testing/standalone_call.h"
#include "dovetail/core/request/request.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail::gpu {
namespace {

constexpr double kTolerance = 1e-4;

const Plugin& Gpu() {
  static const Plugin* const plugin = MakeGpuPlugin().value().release();
  return *plugin;
}

absl::StatusOr<Tensor> InputOf(const Node& parameter, const Values& values) {
  DOVETAIL_ASSIGN_OR_RETURN(const Shape shape,
                            parameter.port().shape.ToShape());
  DOVETAIL_ASSIGN_OR_RETURN(Tensor tensor,
                            Tensor::Allocate(parameter.port().type, shape));
  if (tensor.element_count() != static_cast<int64_t>(values.size())) {
    return InvalidArgument(parameter.Describe(), " has ",
                           tensor.element_count(), " elements, the test ",
                           values.size());
  }
  for (size_t i = 0; i < values.size(); ++i) {
    tensor.SetElement(static_cast<int64_t>(i), values[i]);
  }
  return tensor;
}

Values ValuesOf(const Tensor& tensor) {
  Values values;
  for (int64_t i = 0; i < tensor.element_count(); ++i) {
    values.push_back(tensor.ElementAsDouble(i));
  }
  return values;
}

absl::StatusOr<Config> ConfigFor(const std::string& file) {
  PropertyLayers layers;
  layers.call["CONFIG_FILE"] = absl::StrCat("testing/custom_kernels/", file);
  layers.read_environment = false;
  return Config::Resolve(Gpu().properties(), layers);
}

}  // namespace

Values RandomValues(int count, unsigned seed, double low, double high) {
  Values values;
  uint32_t state = seed * 7919 + 12345;
  for (int i = 0; i < count; ++i) {
    state = state * 1664525 + 1013904223;
    const double part = static_cast<double>(state >> 8) / (1 << 24);
    values.push_back(std::floor((low + part * (high - low)) * 8) / 8);
  }
  return values;
}

absl::StatusOr<std::vector<Values>> RunLayer(
    const std::string& text, const std::string& file,
    const std::vector<Values>& inputs) {
  DOVETAIL_ASSIGN_OR_RETURN(const Config config, ConfigFor(file));
  DOVETAIL_ASSIGN_OR_RETURN(Model model, ParseModelText(text));
  const StandaloneCall call(config);
  DOVETAIL_ASSIGN_OR_RETURN(std::unique_ptr<Executable> executable,
                            Gpu().Compile(model.Clone(), call));
  DOVETAIL_ASSIGN_OR_RETURN(std::unique_ptr<Request> request,
                            Request::Create(std::move(executable)));
  for (size_t i = 0; i < inputs.size(); ++i) {
    DOVETAIL_ASSIGN_OR_RETURN(const Tensor tensor,
                              InputOf(*model.parameters()[i], inputs[i]));
    DOVETAIL_RETURN_IF_ERROR(request->SetInput(static_cast<int>(i), tensor));
  }
  DOVETAIL_RETURN_IF_ERROR(request->Infer());
  std::vector<Values> outputs;
  for (size_t i = 0; i < model.results().size(); ++i) {
    DOVETAIL_ASSIGN_OR_RETURN(const Tensor tensor,
                              request->Output(static_cast<int>(i)));
    outputs.push_back(ValuesOf(tensor));
  }
  return outputs;
}

void ExpectLayer(const std::string& model, const std::string& file,
                 const std::vector<Values>& inputs,
                 const std::vector<Values>& outputs, const std::string& needs) {
  if (!HasClDevice()) GTEST_SKIP() << "no OpenCL device";
  const auto got = RunLayer(model, file, inputs);
  if (!got.ok() && !needs.empty()) {
    EXPECT_THAT(got.status().message(), testing::HasSubstr(needs));
    return;
  }
  ASSERT_TRUE(got.ok()) << got.status();
  ASSERT_EQ(got->size(), outputs.size());
  for (size_t i = 0; i < outputs.size(); ++i) {
    EXPECT_THAT((*got)[i],
                testing::Pointwise(testing::DoubleNear(kTolerance), outputs[i]))
        << "output " << i;
  }
}

std::string EinsumModel(const std::vector<std::string>& shapes,
                        const std::string& equation) {
  std::string text;
  std::vector<std::string> names;
  for (size_t i = 0; i < shapes.size(); ++i) {
    names.push_back(absl::StrCat("%x", i));
    absl::StrAppend(&text, names.back(), " = Parameter-0() {shape: ", shapes[i],
                    ", element_type: f32}\n");
  }
  return absl::StrCat(text, "%y = Einsum-7(", absl::StrJoin(names, ", "),
                      ") {equation: \"", equation,
                      "\"}\n%o = Result-0(%y) {}\n");
}

}  // namespace dovetail::gpu
