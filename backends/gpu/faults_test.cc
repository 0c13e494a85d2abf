// Indices that are outside of an axis, which only kernels see.
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "dovetail/backends/gpu/driver/device_list.h"
#include "dovetail/backends/gpu/gpu_plugin.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/plugin/testing/standalone_call.h"
#include "dovetail/core/reference/evaluate.h"
#include "dovetail/core/request/request.h"
#include "dovetail/testing/graphs/random_model.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail::gpu {
namespace {

using ::testing::HasSubstr;

const Plugin& Gpu() {
  static const Plugin* const plugin = MakeGpuPlugin().value().release();
  return *plugin;
}

// The first input, %i, is of numbers that may be wrong.
struct Case {
  std::string shape, type, statements;
  std::vector<float> wrong, right;
  std::string message;  // part of it
};

std::vector<Case> Cases() {
  return {
      {"[2,2]",
       "i32",
       "%x = Parameter-0() {shape: [2,3], element_type: f32}\n"
       "%y = GatherElements-6(%x, %i) {axis: 1}\n",
       {0, 1, 3, 2},
       {0, -1, 2, -3},
       "an index is 3, but the axis has 3 elements"},
      {"[2,1]",
       "i64",
       "%x = Parameter-0() {shape: [4,3], element_type: f32}\n"
       "%y = GatherND-8(%x, %i) {batch_dims: 0}\n",
       {0, -5},
       {3, -4},
       "an index is -5, but the axis has 4 elements"},
      {"[2]",
       "i32",
       "%x = Parameter-0() {shape: [4,3], element_type: f32}\n"
       "%u = Parameter-0() {shape: [2,3], element_type: f32}\n"
       "%a = Constant-0() {value: i64[] {0}}\n"
       "%y = ScatterUpdate-3(%x, %i, %u, %a) {}\n",
       {2, -1},
       {2, 0},
       "an index is -1, but the axis has 4 elements"},
      {"[2,3]",
       "i32",
       "%x = Parameter-0() {shape: [4,3], element_type: f32}\n"
       "%u = Parameter-0() {shape: [2,3], element_type: f32}\n"
       "%a = Constant-0() {value: i64[] {0}}\n"
       "%y = ScatterElementsUpdate-3(%x, %i, %u, %a) {}\n",
       {2, 1, 0, 0, 4, 1},
       {2, 1, 0, 0, -4, 1},
       "an index is 4, but the axis has 4 elements"},
      {"[2,1]",
       "i32",
       "%x = Parameter-0() {shape: [4,3], element_type: f32}\n"
       "%u = Parameter-0() {shape: [2,3], element_type: f32}\n"
       "%y = ScatterNDUpdate-3(%x, %i, %u) {}\n",
       {2, 9},
       {2, 3},
       "an index is 9, but the axis has 4 elements"},
      {"[3]",
       "i32",
       "%x = Parameter-0() {shape: [5,2], element_type: f32}\n"
       "%o = Constant-0() {value: i32[2] {0,2}}\n"
       "%y = EmbeddingBagOffsetsSum-3(%x, %i, %o) {}\n",
       {2, 1, 7},
       {2, 1, 4},
       "an index is 7, but the axis has 5 elements"},
      {"[2]",
       "i32",
       "%x = Parameter-0() {shape: [5,2], element_type: f32}\n"
       "%k = Constant-0() {value: i32[4] {0,2,1,4}}\n"
       "%y = EmbeddingBagOffsetsSum-3(%x, %k, %i) {}\n",
       {0, 5},
       {0, 4},
       "an index is 5, but the axis has 4 elements"},
      {"[3]",
       "i32",
       "%x = Parameter-0() {shape: [5,2], element_type: f32}\n"
       "%k = Constant-0() {value: i32[3] {0,2,1}}\n"
       "%n = Constant-0() {value: i32[] {2}}\n"
       "%y = EmbeddingSegmentsSum-3(%x, %k, %i, %n) {}\n",
       {0, 1, 2},
       {0, 1, 1},
       "an index is 2, but the axis has 2 elements"},
      {"[2,1,2]",
       "i32",
       "%x = Parameter-0() {shape: [2,1,2], element_type: i32}\n"
       "%l = Constant-0() {value: i32[1] {2}}\n"
       "%e = Constant-0() {value: i32[] {9}}\n"
       "%y = GatherTree-1(%x, %i, %l, %e) {}\n",
       {0, 0, 0, 2},
       {0, 0, 0, 1},
       "an index is 2, but the axis has 2 elements"},
      {"[2]",
       "i32",
       "%x = Parameter-0() {shape: [2,3,6,6], element_type: f32}\n"
       "%b = Constant-0() {value: f32[2,4] {0,0,4,4,1,1,5,5}}\n"
       "%y = ROIAlign-3(%x, %b, %i) {pooled_h: 2, pooled_w: 2, "
       "sampling_ratio: 2, spatial_scale: 1, mode: avg}\n",
       {0, 2},
       {0, 1},
       "an index is 2, but the axis has 2 elements"},
      {"[3,5]",
       "f32",
       "%x = Parameter-0() {shape: [2,3,6,6], element_type: f32}\n"
       "%y = ROIPooling-0(%x, %i) {pooled_h: 2, pooled_w: 2, spatial_scale: 1, "
       "method: max}\n",
       {0, 0, 0, 4, 4, 2, 1, 1, 5, 5, 1, 1, 1, 5, 5},
       // What is behind the end of the list is not looked at.
       {0, 0, 0, 4, 4, -1, 1, 1, 5, 5, 7, 1, 1, 5, 5},
       "an index is 2, but the axis has 2 elements"},
  };
}

Tensor NumbersOf(const Node& parameter, const std::vector<float>& values) {
  const ElementType type = parameter.port().type;
  Tensor tensor =
      Tensor::Allocate(type, parameter.port().shape.ToShape().value()).value();
  for (size_t i = 0; i < values.size(); ++i) {
    const auto whole = static_cast<int64_t>(values[i]);
    if (type == ElementType::kF32) {
      tensor.mutable_data<float>()[i] = values[i];
    } else if (type == ElementType::kI64) {
      tensor.mutable_data<int64_t>()[i] = whole;
    } else {
      tensor.mutable_data<int32_t>()[i] = static_cast<int32_t>(whole);
    }
  }
  return tensor;
}

// By launches of their own, or by joined ones.
class FaultsTest : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    const auto devices = ListClDevices();
    if (!devices.ok()) GTEST_SKIP() << devices.status().message();
  }

  void Check(const Case& one) {
    const std::string text =
        absl::StrCat("%i = Parameter-0() {shape: ", one.shape,
                     ", element_type: ", one.type, "}\n", one.statements,
                     "%z = Convert-0(%y) {destination_type: f32}\n"
                     "%s = Softmax-1(%z) {axis: 0}\n"
                     "%r = Result-0(%s) {}\n");
    SCOPED_TRACE(text);
    const auto parsed = ParseWithConstants(text);
    ASSERT_TRUE(parsed.ok()) << parsed.status();
    const Model& model = *parsed;
    PropertyLayers layers;
    layers.call = {{"GPU_JOIN_LAUNCHES", GetParam()}};
    layers.read_environment = false;
    const Config config = Config::Resolve(Gpu().properties(), layers).value();
    const StandaloneCall call(config);
    auto executable = Gpu().Compile(model.Clone(), call);
    ASSERT_TRUE(executable.ok()) << executable.status();
    const auto request = Request::Create(*std::move(executable)).value();
    std::vector<Shape> shapes;
    for (const Node* parameter : model.parameters()) {
      shapes.push_back(parameter->port().shape.ToShape().value());
    }
    std::vector<Tensor> inputs = RandomInputs(model, shapes, 1);
    // The second time behind an error.
    for (int run = 0; run < 2; ++run) {
      inputs[0] = NumbersOf(*model.parameters()[0], one.wrong);
      const absl::Status status = Infer(*request, inputs);
      EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << status;
      EXPECT_THAT(status.ToString(), HasSubstr(one.message));
      EXPECT_EQ(EvaluateModel(model, inputs, {}).status().code(),
                status.code());
      inputs[0] = NumbersOf(*model.parameters()[0], one.right);
      ASSERT_TRUE(Infer(*request, inputs).ok());
      const auto want = EvaluateModel(model, inputs, {});
      ASSERT_TRUE(want.ok()) << want.status();
      EXPECT_EQ(FirstDifference({request->Output(0).value()}, *want, 1e-5), "");
    }
  }

 private:
  static absl::Status Infer(Request& request,
                            const std::vector<Tensor>& inputs) {
    for (size_t i = 0; i < inputs.size(); ++i) {
      DOVETAIL_RETURN_IF_ERROR(
          request.SetInput(static_cast<int>(i), inputs[i]));
    }
    DOVETAIL_RETURN_IF_ERROR(request.StartAsync());
    return request.Wait();
  }
};
INSTANTIATE_TEST_SUITE_P(JoinLaunches, FaultsTest, testing::Values("YES", "NO"),
                         [](const auto& info) {
                           return std::string(info.param);
                         });

TEST_P(FaultsTest, AreErrors) {
  for (const Case& one : Cases()) Check(one);
}

}  // namespace
}  // namespace dovetail::gpu
