// AUTO on made-up accelerators: A, B, and one that is called CPU.
#include <atomic>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "dovetail/backends/auto/auto_plugin.h"
#include "dovetail/backends/hetero/hetero_plugin.h"
#include "dovetail/core/plugin/registry/registry.h"
#include "dovetail/core/runtime/runtime.h"
#include "dovetail/testing/fakes/device/fake_device.h"
#include "dovetail/testing/fakes/fake_plugin.h"
#include "dovetail/testing/graphs/small_models.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using testing::AllOf;
using testing::AnyOf;
using testing::HasSubstr;

constexpr char kDevices[] = "EXECUTION_DEVICES";
constexpr char kReason[] = "AUTO_REASON";

class AutoTest : public testing::Test {
 protected:
  AutoTest() : core_(&registry_) {
    for (const auto& device : {a_, b_, cpu_, reference_}) {
      EXPECT_TRUE(registry_
                      .Register(device->name(),
                                [device] { return MakeFakePlugin(device); })
                      .ok());
    }
    EXPECT_TRUE(
        registry_.Register("AUTO", [] { return MakeAutoPlugin(); }).ok());
    EXPECT_TRUE(
        registry_.Register("HETERO", [] { return MakeHeteroPlugin(); }).ok());
  }
  // Better devices are compiled for in the background.
  ~AutoTest() override {
    a_->ReleaseCompile();
    for (const auto& device : {a_, b_, cpu_, reference_}) {
      device->WaitUntilUnused();
    }
  }

  CompiledModel Compile(const Model& model, const std::string& device,
                        const PropertyMap& properties = {}) const {
    auto compiled = core_.Compile(model, device, properties);
    EXPECT_TRUE(compiled.ok()) << compiled.status();
    return *std::move(compiled);
  }

  static InferRequest RequestOf(const CompiledModel& chain) {
    InferRequest request = chain.NewRequest().value();
    EXPECT_TRUE(request.SetInput("x", ChainInput()).ok());
    return request;
  }

  static void ExpectRight(InferRequest& request) {
    const absl::Status status = request.Infer();
    ASSERT_TRUE(status.ok()) << status;
    const Tensor y = request.Output("y").value();
    const std::vector<double> want = ChainOutput();
    for (size_t i = 0; i < want.size(); ++i) {
      EXPECT_EQ(y.data<float>()[i], want[i]) << i;
    }
  }

  static std::string Get(const CompiledModel& model, const std::string& key) {
    return model.GetProperty(key).value_or("none");
  }

  // Until the background has done what it should; ctest's limit ends it.
  static void AwaitDevices(const CompiledModel& model,
                           const std::string& devices) {
    while (Get(model, kDevices) != devices) std::this_thread::yield();
  }

  const std::shared_ptr<FakeDevice> a_ = std::make_shared<FakeDevice>("A");
  const std::shared_ptr<FakeDevice> b_ = std::make_shared<FakeDevice>("B");
  const std::shared_ptr<FakeDevice> cpu_ = std::make_shared<FakeDevice>("CPU");
  const std::shared_ptr<FakeDevice> reference_ =
      std::make_shared<FakeDevice>("REFERENCE");
  PluginRegistry registry_;
  Core core_;
};

// ---- Which device ----

TEST_F(AutoTest, TheFirstOfTheListThatTakesTheModel) {
  const CompiledModel chain = Compile(ChainModel(), "AUTO:B,A");
  EXPECT_EQ(Get(chain, kDevices), "B");
  EXPECT_THAT(Get(chain, kReason), HasSubstr("the first of B, A"));
  b_->RefuseOp("Relu", "B has no comparisons");
  const CompiledModel other = Compile(ChainModel(), "AUTO:B,A");
  EXPECT_EQ(Get(other, kDevices), "A");
  a_->RefuseOp("Relu", "nor has A");
  EXPECT_THAT(core_.Compile(ChainModel(), "AUTO:B,A").status().message(),
              AllOf(HasSubstr("no device takes the model"),
                    HasSubstr("no comparisons"), HasSubstr("nor has A")));
}

// The reference device is there to be compared with.
TEST_F(AutoTest, WithoutAListAllThatThereAreButForReferences) {
  const PropertyMap stay = {{"ENABLE_STARTUP_FALLBACK", "NO"}};
  EXPECT_EQ(Get(Compile(ChainModel(), "AUTO", stay), kDevices), "A");
  EXPECT_EQ(Get(Compile(ChainModel(), "AUTO:-A", stay), kDevices), "B");
  EXPECT_EQ(Get(Compile(ChainModel(), "AUTO:-A,-B", stay), kDevices), "CPU");
  EXPECT_THAT(core_.Compile(ChainModel(), "AUTO:-A,-B,-CPU").status().message(),
              HasSubstr("leaves no device"));
  EXPECT_THAT(core_.Compile(ChainModel(), "AUTO:A,-").status().message(),
              HasSubstr("no name follows a '-'"));
  EXPECT_EQ(Get(Compile(ChainModel(), "AUTO:REFERENCE", stay), kDevices),
            "REFERENCE");
}

TEST_F(AutoTest, ADeviceWithoutADriverIsLeftOut) {
  a_->SetNoDriver("not plugged in");
  EXPECT_EQ(Get(Compile(ChainModel(), "AUTO:A,B"), kDevices), "B");
}

TEST_F(AutoTest, AModelThatMattersMoreHasTheBetterDevice) {
  const PropertyMap high = {{"MODEL_PRIORITY", "HIGH"}};
  const PropertyMap low = {{"MODEL_PRIORITY", "LOW"}};
  {
    const CompiledModel first = Compile(ChainModel(), "AUTO:A,B", high);
    EXPECT_EQ(Get(first, kDevices), "A");
    EXPECT_EQ(Get(Compile(ChainModel(), "AUTO:A,B", low), kDevices), "B");
    EXPECT_EQ(Get(Compile(ChainModel(), "AUTO:A,B", high), kDevices), "A");
    EXPECT_EQ(Get(Compile(ChainModel(), "AUTO:A", low), kDevices), "A");
  }
  EXPECT_EQ(Get(Compile(ChainModel(), "AUTO:A,B", low), kDevices), "A");
}

TEST_F(AutoTest, AllOfThemForCumulativeThroughput) {
  const CompiledModel chain =
      Compile(ChainModel(), "AUTO:A,B",
              {{"PERFORMANCE_HINT", "CUMULATIVE_THROUGHPUT"}});
  EXPECT_EQ(Get(chain, kDevices), "A B");
  InferRequest request = RequestOf(chain);
  ExpectRight(request);
}

TEST_F(AutoTest, AQueryTellsWhatItTakes) {
  a_->RefuseOp("Relu", "A has no comparisons");
  const auto query = core_.Query(ChainModel(), "AUTO:A,B");
  ASSERT_TRUE(query.ok()) << query.status();
  EXPECT_TRUE(query->all_supported());
  EXPECT_EQ(query->Find("relu")->device, "B");
  EXPECT_THAT(query->notes, testing::Contains(HasSubstr("AUTO takes B")));
}

// Each of the two may be a part of the other.
TEST_F(AutoTest, WithHetero) {
  a_->RefuseOp("Relu", "A has no comparisons");
  const CompiledModel parts = Compile(ChainModel(), "AUTO:HETERO:A,B");
  EXPECT_EQ(Get(parts, kDevices), "HETERO:A,B");
  InferRequest of_parts = RequestOf(parts);
  ExpectRight(of_parts);
  EXPECT_GT(a_->launches(), 0);
  EXPECT_GT(b_->launches(), 0);
  const CompiledModel part = Compile(ChainModel(), "HETERO:AUTO:A,B");
  InferRequest of_part = RequestOf(part);
  ExpectRight(of_part);
}

// ---- Starting on the CPU ----

TEST_F(AutoTest, TheCpuRunsUntilTheOtherIsCompiled) {
  a_->HoldCompile();
  const CompiledModel chain = Compile(ChainModel(), "AUTO:A,CPU");
  EXPECT_EQ(Get(chain, kDevices), "(CPU)");
  EXPECT_THAT(Get(chain, kReason), HasSubstr("on CPU until A"));
  InferRequest request = RequestOf(chain);
  ExpectRight(request);
  EXPECT_EQ(cpu_->launches(), 1);
  a_->ReleaseCompile();
  AwaitDevices(chain, "A");
  ExpectRight(request);
  EXPECT_EQ(a_->launches(), 1);
  EXPECT_EQ(cpu_->launches(), 1);
  EXPECT_THAT(Get(chain, kReason), HasSubstr("on A, compiled for while CPU"));
}

// That of the device that runs it; one that was shown stays as it is.
TEST_F(AutoTest, ShowsTheGraphOfTheDevice) {
  a_->HoldCompile();
  const CompiledModel chain = Compile(ChainModel(), "AUTO:A,CPU");
  const auto device_of_add = [&] {
    const auto graph = chain.DescribeExecution();
    return *graph->FindNode("add")->rt_info().Find({"executionDevice"});
  };
  const Model* const first = chain.runtime_model();
  ASSERT_NE(first, nullptr);
  EXPECT_EQ(device_of_add(), "CPU");
  a_->ReleaseCompile();
  AwaitDevices(chain, "A");
  EXPECT_EQ(device_of_add(), "A");
  EXPECT_NE(chain.runtime_model(), first);
  EXPECT_NE(first->FindNode("add"), nullptr);
}

// All of its results are right, wherever they come from.
TEST_F(AutoTest, NoInferenceIsLostWhenItMovesOver) {
  a_->HoldCompile();
  const CompiledModel chain = Compile(ChainModel(), "AUTO:A,CPU");
  std::atomic<bool> enough = false;
  std::vector<std::thread> clients;
  for (int i = 0; i < 4; ++i) {
    clients.emplace_back([&] {
      InferRequest request = RequestOf(chain);
      while (!enough) ExpectRight(request);
    });
  }
  a_->ReleaseCompile();
  AwaitDevices(chain, "A");
  enough = true;
  for (std::thread& client : clients) client.join();
  EXPECT_EQ(Get(chain, kDevices), "A");
}

TEST_F(AutoTest, ItStaysOnTheCpuWhereNothingBetterTakesTheModel) {
  a_->HoldCompile();
  const CompiledModel chain = Compile(ChainModel(), "AUTO:A,CPU,B");
  a_->FailCompile(absl::InternalError("A does not compile today"));
  a_->ReleaseCompile();
  AwaitDevices(chain, "CPU");
  InferRequest request = RequestOf(chain);
  ExpectRight(request);
  EXPECT_THAT(Get(chain, kReason), HasSubstr("on CPU"));
}

TEST_F(AutoTest, AModelMayGoWhileTheOtherIsBeingCompiled) {
  a_->HoldCompile();
  std::thread later;
  {
    const CompiledModel chain = Compile(ChainModel(), "AUTO:A,CPU");
    later = std::thread([this] { a_->ReleaseCompile(); });
  }
  later.join();
}

// What a request remembers stays where it is.
TEST_F(AutoTest, AModelWithVariablesDoesNotMove) {
  const CompiledModel counter = Compile(CounterModel(), "AUTO:A,CPU");
  EXPECT_EQ(Get(counter, kDevices), "A");
  InferRequest request = counter.NewRequest().value();
  ASSERT_TRUE(request.SetInput("x", Floats({2}, {1, 2})).ok());
  for (int i = 1; i <= 3; ++i) {
    ASSERT_TRUE(request.Infer().ok());
    EXPECT_EQ(request.Output("y")->data<float>()[1], 2 * i);
  }
}

// ---- Devices that are lost ----

TEST_F(AutoTest, ALostDeviceIsReplaced) {
  const CompiledModel chain = Compile(ChainModel(), "AUTO:A,B");
  InferRequest request = RequestOf(chain);
  ExpectRight(request);
  EXPECT_EQ(b_->launches(), 0);
  a_->Lose("unplugged");
  ExpectRight(request);
  EXPECT_EQ(Get(chain, kDevices), "B");
  EXPECT_THAT(Get(chain, kReason), HasSubstr("as another was lost"));
  b_->Lose("unplugged, too");
  EXPECT_EQ(request.Infer().code(), absl::StatusCode::kUnavailable);
}

TEST_F(AutoTest, TheCpuComesBackWhereTheOtherIsLost) {
  const CompiledModel chain = Compile(ChainModel(), "AUTO:A,CPU");
  AwaitDevices(chain, "A");
  a_->Lose("unplugged");
  InferRequest request = RequestOf(chain);
  ExpectRight(request);
  EXPECT_EQ(Get(chain, kDevices), "CPU");
}

TEST_F(AutoTest, ADeviceThatIsLostBeforeTheOtherIsThere) {
  a_->HoldCompile();
  const CompiledModel chain = Compile(ChainModel(), "AUTO:A,CPU");
  InferRequest request = RequestOf(chain);
  cpu_->Lose("unplugged");
  ASSERT_TRUE(request.StartAsync().ok());
  a_->ReleaseCompile();
  EXPECT_TRUE(request.Wait().ok());
  ExpectRight(request);
  EXPECT_EQ(a_->launches(), 2);
}

// The last user of a model may go in a callback, and that in the background.
TEST_F(AutoTest, TheBackgroundMayEndTheLastInference) {
  a_->HoldCompile();
  a_->FailCompile(absl::InternalError("A does not compile today"));
  std::promise<absl::Status> ended;
  auto request = std::make_unique<InferRequest>(
      RequestOf(Compile(ChainModel(), "AUTO:A,CPU")));
  ASSERT_TRUE(request
                  ->SetCallback([&](const absl::Status& status) {
                    request.reset();
                    ended.set_value(status);
                  })
                  .ok());
  cpu_->Lose("unplugged");
  ASSERT_TRUE(request->StartAsync().ok());
  a_->ReleaseCompile();
  EXPECT_EQ(ended.get_future().get().code(), absl::StatusCode::kUnavailable);
}

TEST_F(AutoTest, ManyInferencesSurviveALoss) {
  const CompiledModel chain = Compile(ChainModel(), "AUTO:A,B,CPU");
  std::vector<std::thread> clients;
  for (int i = 0; i < 4; ++i) {
    clients.emplace_back([&, i] {
      InferRequest request = RequestOf(chain);
      for (int k = 0; k < 200; ++k) {
        if (i == 0 && k == 100) a_->Lose("unplugged");
        ExpectRight(request);
      }
    });
  }
  for (std::thread& client : clients) client.join();
  EXPECT_THAT(Get(chain, kDevices), AnyOf("B", "(CPU)"));
}

TEST_F(AutoTest, LosingADeviceIsAnErrorWhereThatIsWanted) {
  const CompiledModel chain =
      Compile(ChainModel(), "AUTO:A,B", {{"ENABLE_RUNTIME_FALLBACK", "NO"}});
  InferRequest request = RequestOf(chain);
  a_->Lose("unplugged");
  EXPECT_THAT(request.Infer().message(), HasSubstr("unplugged"));
}

// ---- Names and keys ----

TEST_F(AutoTest, WhatIsWrong) {
  const auto error = [&](const std::string& device,
                         const PropertyMap& properties = {}) {
    return std::string(
        core_.Compile(ChainModel(), device, properties).status().message());
  };
  EXPECT_THAT(error("AUTO:A,A"), HasSubstr("twice"));
  EXPECT_THAT(error("AUTO:A,NONE"), HasSubstr("'NONE'"));
  EXPECT_THAT(error("AUTO:AUTO:A"), HasSubstr("made of itself"));
  EXPECT_THAT(error("AUTO:A", {{"NO_SUCH_KEY", "1"}}),
              HasSubstr("NO_SUCH_KEY"));
  EXPECT_THAT(error("AUTO:A", {{"MODEL_PRIORITY", "URGENT"}}),
              HasSubstr("MODEL_PRIORITY"));
  EXPECT_THAT(error("AUTO:A", {{"DEVICE_PROPERTIES", "{B:{X:1}}"}}),
              HasSubstr("names 'B'"));
}

}  // namespace
}  // namespace dovetail
