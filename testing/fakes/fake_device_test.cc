// What the device does when all goes well. That it is a proper device is shown
// by testing/conformance/plugin.

#include "dovetail/testing/fakes/device/fake_device.h"

#include <future>
#include <memory>
#include <thread>
#include <utility>

#include "dovetail/core/plugin/registry/registry.h"
#include "dovetail/core/plugin/testing/export_bytes.h"
#include "dovetail/core/plugin/testing/standalone_call.h"
#include "dovetail/core/runtime/runtime.h"
#include "dovetail/testing/fakes/fake_plugin.h"
#include "dovetail/testing/fakes/fake_remote_context.h"
#include "dovetail/testing/graphs/small_models.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using testing::HasSubstr;

class FakeDeviceTest : public testing::Test {
 protected:
  // A device with that much memory, to be used as "FAKE".
  void Make(int64_t memory_bytes) {
    registry_ = std::make_unique<PluginRegistry>();
    device_ = std::make_shared<FakeDevice>("FAKE", memory_bytes);
    ASSERT_TRUE(
        registry_->Register("FAKE", [this] { return MakeFakePlugin(device_); })
            .ok());
    core_ = std::make_unique<Core>(registry_.get());
  }
  void SetUp() override { Make(1 << 20); }

  CompiledModel Compile(const Model& model, const PropertyMap& config = {}) {
    auto compiled = core_->Compile(model, "FAKE", config);
    EXPECT_TRUE(compiled.ok()) << compiled.status();
    return *std::move(compiled);
  }

  std::unique_ptr<PluginRegistry> registry_;
  std::shared_ptr<FakeDevice> device_;
  std::unique_ptr<Core> core_;
};

Tensor Input() {
  return Tensor::FromValues<float>({2, 3}, {-2, -1, 0, 1, 2, 3}).value();
}
Tensor Output() {
  return Tensor::FromValues<float>({2, 3}, {0, 0, 2, 4, 6, 8}).value();
}

TEST_F(FakeDeviceTest, ComputesInItsOwnMemory) {
  const CompiledModel model = Compile(ChainModel());
  EXPECT_EQ(device_->memory_left(), device_->memory_size() - 8)
      << "two constants of f32";
  auto request = model.NewRequest().value();
  ASSERT_TRUE(request.SetInput("x", Input()).ok());
  ASSERT_TRUE(request.Infer().ok());
  EXPECT_TRUE(request.Output("y")->Equals(Output()));
  EXPECT_EQ(device_->memory_left(), device_->memory_size() - 8)
      << "an inference leaves nothing behind";
}

TEST_F(FakeDeviceTest, ModelsGiveTheirMemoryBack) {
  { const CompiledModel model = Compile(ChainModel()); }
  EXPECT_EQ(device_->memory_left(), device_->memory_size());
}

TEST_F(FakeDeviceTest, CompletionsComeOnThreadsOfTheDevice) {
  const CompiledModel model = Compile(ChainModel());
  auto request = model.NewRequest().value();
  std::promise<std::thread::id> thread;
  ASSERT_TRUE(request
                  .SetCallback([&](const absl::Status&) {
                    thread.set_value(std::this_thread::get_id());
                  })
                  .ok());
  ASSERT_TRUE(request.StartAsync().ok());
  ASSERT_TRUE(request.Wait().ok());
  EXPECT_NE(thread.get_future().get(), std::this_thread::get_id());
}

TEST_F(FakeDeviceTest, ProfilesSimulatedCycles) {
  const CompiledModel model = Compile(ChainModel(), {{"PERF_COUNT", "YES"}});
  auto request = model.NewRequest().value();
  ASSERT_TRUE(request.Infer().ok());
  const auto records = request.Profiling().value();
  ASSERT_EQ(records.size(), 3u + 3u);  // layers, stages
  EXPECT_EQ(records[0].name, "add");
  EXPECT_EQ(records[1].type, "Relu");
  EXPECT_EQ(records[1].kernel, "fake");
  EXPECT_EQ(records[1].status, ProfilingRecord::Status::kExecuted);
  // Sixteen for the command, none for moving less than 64 bytes.
  EXPECT_EQ(records[1].duration_ns, 16'000);
  EXPECT_EQ(records[1].counters[0].second, 16);
  EXPECT_EQ(records[1].device, "FAKE");
  for (const auto& [i, name] : {std::pair(3, "input copy"),
                                std::pair(4, "execute"),
                                std::pair(5, "output copy")}) {
    EXPECT_EQ(records[i].name, name);
    EXPECT_EQ(records[i].kind, ProfilingRecord::Kind::kStage);
    EXPECT_GE(records[i].start_ns, records[3].start_ns);
    EXPECT_GE(records[i].duration_ns, 0);
  }
}

TEST_F(FakeDeviceTest, MemoryRunsOutWhenAModelIsLoaded) {
  Make(6);
  const absl::Status status = core_->Compile(ChainModel(), "FAKE").status();
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(status.message(), HasSubstr("asked for 4 bytes, 2 of 6"));
  EXPECT_EQ(device_->memory_left(), 6);
}

TEST_F(FakeDeviceTest, MemoryRunsOutWhenInputsAreCopied) {
  Make(8 + 20);
  const CompiledModel model = Compile(ChainModel());
  auto request = model.NewRequest().value();
  const absl::Status status = request.Infer();
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(status.message(), HasSubstr("asked for 24 bytes, 20 of 28"));
}

TEST_F(FakeDeviceTest, MemoryRunsOutOnTheDevice) {
  Make(8 + 24 + 24);  // constants, input, the first layer's output
  const CompiledModel model = Compile(ChainModel());
  auto request = model.NewRequest().value();
  const absl::Status status = request.Infer();
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(status.message(), HasSubstr("asked for 24 bytes, 0 of 56"));
  EXPECT_EQ(device_->memory_left(), 48) << "all but the constants is free";
  // Room for one more is enough: each is freed when it has been read.
  Make(8 + 24 + 24 + 24);
  EXPECT_TRUE(Compile(ChainModel()).NewRequest()->Infer().ok());
}

TEST_F(FakeDeviceTest, AnInputMayBeAnOutput) {
  const CompiledModel model = Compile(ModelOf(R"(
    %x = Parameter-0() {shape: [2], element_type: f32} : f32[2] "x"
    %c = Constant-0() {value: f32[2] {5, 6}}
    %0 = Result-0(%x) {}
    %1 = Result-0(%c) {}
    %2 = Result-0(%x) {})"));
  auto request = model.NewRequest().value();
  const Tensor x = Tensor::FromValues<float>({2}, {1, 2}).value();
  ASSERT_TRUE(request.SetInput(0, x).ok());
  ASSERT_TRUE(request.Infer().ok());
  EXPECT_TRUE(request.Output(0)->Equals(x));
  EXPECT_EQ(request.Output(1)->ElementAsDouble(1), 6);
  EXPECT_TRUE(request.Output(2)->Equals(x));
}

TEST_F(FakeDeviceTest, VariablesAreOnTheDevice) {
  const CompiledModel model = Compile(CounterModel());
  auto request = model.NewRequest().value();
  const Tensor x = Tensor::FromValues<float>({2}, {1, 2}).value();
  ASSERT_TRUE(request.SetInput(0, x).ok());
  ASSERT_TRUE(request.Infer().ok());
  const Tensor copy = request.Variables()->at(0).value;
  copy.SetElement(0, 100);
  ASSERT_TRUE(request.Infer().ok());
  EXPECT_EQ(request.Output(0)->ElementAsDouble(0), 2);
}

TEST_F(FakeDeviceTest, AnExportThatIsDamagedIsRefused) {
  const auto plugin = MakeFakePlugin(device_).value();
  const StandaloneCall call(*plugin);
  const auto executable = plugin->Compile(ChainModel().Clone(), call).value();
  ExportSections sections = ExportedSections(*executable).value();
  EXPECT_TRUE(plugin->Import(call.Importing(ContainerOf(sections))).ok());
  const std::string model = sections["lowered"];
  for (const std::string& damaged :
       {std::string(), model.substr(0, 4), model.substr(0, 100),
        std::string(8, '\xff') + model.substr(8)}) {
    sections["lowered"] = damaged;
    EXPECT_EQ(
        plugin->Import(call.Importing(ContainerOf(sections))).status().code(),
        absl::StatusCode::kDataLoss);
  }
}

// ---- Tensors that stay on the device ----

TEST_F(FakeDeviceTest, TensorsOnTheDeviceAreNotCopied) {
  const auto context = core_->CreateContext("FAKE").value();
  const auto compiled = core_->Compile(ChainModel(), context);
  ASSERT_TRUE(compiled.ok()) << compiled.status();
  InferRequest request = compiled->NewRequest().value();
  const Tensor host = request.Input(0)->Clone().value();
  const Tensor x = context->NewTensor(host.type(), host.shape()).value();
  for (int64_t i = 0; i < host.element_count(); ++i) host.SetElement(i, i - 2);
  ASSERT_TRUE(x.CopyFrom(host).ok());
  const PortInfo& port = compiled->outputs()[0];
  const Tensor y =
      context->NewTensor(port.type, port.shape.ToShape().value()).value();
  ASSERT_TRUE(request.SetInput(0, x).ok());
  ASSERT_TRUE(request.SetOutput(0, y).ok());
  const int64_t copies = device_->host_copies();
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(request.Infer().ok());
  EXPECT_EQ(device_->host_copies(), copies);
  EXPECT_EQ(request.Output(0)->device_memory(), y.device_memory());

  // The same values as by the host's memory.
  InferRequest other = Compile(ChainModel()).NewRequest().value();
  ASSERT_TRUE(other.SetInput(0, host).ok());
  ASSERT_TRUE(other.Infer().ok());
  EXPECT_TRUE(y.Clone()->Equals(*other.Output(0)));
  EXPECT_GT(device_->host_copies(), copies);
}

TEST_F(FakeDeviceTest, TensorsOfAnotherDeviceAreRefusedByName) {
  const auto other = std::make_shared<FakeDevice>("OTHER");
  const auto context = MakeFakeContext(other, {}).value();
  InferRequest request = Compile(ChainModel()).NewRequest().value();
  const Shape shape = request.Input(0)->shape();
  const Tensor x = context->NewTensor(ElementType::kF32, shape).value();
  for (const absl::Status& status :
       {request.SetInput(0, x), request.SetOutput(0, x)}) {
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(status.message(), HasSubstr("OTHER"));
  }
  EXPECT_EQ(core_->CreateContext("FAKE", {{"cl_context", int64_t{1}}})
                .status()
                .code(),
            absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace dovetail
