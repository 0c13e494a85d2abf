// Models that a device must refuse rather than fail at, whatever made them.

#include <memory>
#include <string>

#include "dovetail/core/graph/testing/test_ops.h"
#include "dovetail/core/ops/op_table.h"
#include "dovetail/core/plugin/testing/standalone_call.h"
#include "dovetail/core/runtime/device_name.h"
#include "dovetail/testing/backend/device_test.h"
#include "dovetail/testing/graphs/small_models.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

class ErrorsTest : public DeviceTest {
 protected:
  // The status of compiling a model that a query must refuse too.
  absl::Status Try(const Model& model) const {
    EXPECT_FALSE(core_.Query(model, device()).ok());
    return core_.Compile(model, device()).status();
  }
};

TEST_F(ErrorsTest, NoModel) {
  const DeviceName name = ParseDeviceName(device()).value();
  const Plugin* plugin = PluginRegistry::Global().Get(name.kind).value();
  const StandaloneCall call(core_.DeviceConfig(device()).value());
  EXPECT_EQ(plugin->Compile(nullptr, call).status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST_F(ErrorsTest, AnEmptyModelRuns) {
  const Model model("empty");
  const auto compiled = core_.Compile(model, device());
  ASSERT_TRUE(compiled.ok()) << compiled.status();
  EXPECT_TRUE(compiled->inputs().empty());
  EXPECT_TRUE(compiled->outputs().empty());
  EXPECT_TRUE(compiled->NewRequest()->Infer().ok());
}

TEST_F(ErrorsTest, AModelOfConstantsRuns) {
  InferRequest request = NewRequest(ModelOf(R"(
    %c = Constant-0() {value: f32[2] {3, 4}}
    %r = Result-0(%c) {}  # out)"));
  ASSERT_TRUE(request.Infer().ok());
  EXPECT_TRUE(Gives(request.Output(0), {3, 4}));
  // What is given out is no way to the constant.
  const Tensor y = request.Output(0).value();
  if (!y.is_read_only()) y.SetElement(0, 7);
  ASSERT_TRUE(request.Infer().ok());
  EXPECT_TRUE(Gives(request.Output(0), {3, 4}));
}

TEST_F(ErrorsTest, AnOutputThatIsAnInput) {
  InferRequest request = NewRequest(ModelOf(R"(
    %x = Parameter-0() {shape: [2], element_type: f32} : f32[2] "x"
    %0 = Result-0(%x) {}  # first
    %1 = Result-0(%x) {}  # second)"));
  ASSERT_TRUE(request.SetInput(0, Floats({2}, {3, 4})).ok());
  ASSERT_TRUE(request.Infer().ok());
  EXPECT_TRUE(Gives(request.Output(0), {3, 4}));
  EXPECT_TRUE(Gives(request.Output(1), {3, 4}));
}

TEST_F(ErrorsTest, AnInputThatIsNotConnected) {
  Model model = ChainModel();
  model.FindNode("add")->SetInput(1, Value());
  const absl::Status status = Try(model);
  EXPECT_FALSE(status.ok());
  EXPECT_THAT(status.message(), testing::HasSubstr("add"));
}

TEST_F(ErrorsTest, ACycle) {
  Model model = ChainModel();
  model.FindNode("add")->SetInput(1, model.FindNode("scale")->output());
  const absl::Status status = Try(model);
  EXPECT_FALSE(status.ok());
  EXPECT_FALSE(status.message().empty());
}

TEST_F(ErrorsTest, AttributesOfAnotherOperation) {
  Model model = ChainModel();
  model.FindNode("relu")->set_attributes(TestVariable("strange"));
  const absl::Status status = Try(model);
  EXPECT_FALSE(status.ok());
  EXPECT_THAT(status.message(), testing::HasSubstr("relu"));
}

TEST_F(ErrorsTest, LayersOfTheSameName) {
  Model model = ChainModel();
  for (const auto& node : model.nodes()) node->set_name("same");
  const auto compiled = core_.Compile(model, device());
  ASSERT_TRUE(compiled.ok()) << compiled.status();
  InferRequest request = compiled->NewRequest().value();
  ASSERT_TRUE(request.SetInput(0, ChainInput()).ok());
  ASSERT_TRUE(request.Infer().ok());
  EXPECT_TRUE(Gives(request.Output(0), ChainOutput()));
}

TEST_F(ErrorsTest, UnusedInputsAndLayers) {
  InferRequest request = NewRequest(ModelOf(R"(
    %x = Parameter-0() {shape: [2], element_type: f32} : f32[2] "x"
    %u = Parameter-0() {shape: [9], element_type: f32} : f32[9] "unused"
    %d = Relu-0(%u) {}  # dead
    %y = Relu-0(%x) {}  # relu
    %o = Result-0(%y) {}  # out)"));
  ASSERT_TRUE(request.SetInput("x", Floats({2}, {3, -4})).ok());
  ASSERT_TRUE(request.Infer().ok());
  EXPECT_TRUE(Gives(request.Output(0), {3, 0}));
}

}  // namespace
}  // namespace dovetail
