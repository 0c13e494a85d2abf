// Every way in which the device can go wrong, and that the runtime comes
// through it.

#include <future>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "dovetail/core/plugin/registry/registry.h"
#include "dovetail/core/runtime/runtime.h"
#include "dovetail/testing/fakes/device/fake_device.h"
#include "dovetail/testing/fakes/fake_plugin.h"
#include "dovetail/testing/graphs/small_models.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using std::chrono::milliseconds;
using testing::AllOf;
using testing::HasSubstr;

class FakeFaultsTest : public testing::Test {
 protected:
  FakeFaultsTest()
      : device_(std::make_shared<FakeDevice>()), core_(&registry_) {
    EXPECT_TRUE(
        registry_.Register("FAKE", [this] { return MakeFakePlugin(device_); })
            .ok());
  }

  CompiledModel Compile() {
    auto compiled = core_.Compile(ChainModel(), "FAKE");
    EXPECT_TRUE(compiled.ok()) << compiled.status();
    return *std::move(compiled);
  }

  std::shared_ptr<FakeDevice> device_;
  PluginRegistry registry_;
  Core core_;
};

TEST_F(FakeFaultsTest, NoDriver) {
  device_->SetNoDriver("fake.ko is not loaded");
  EXPECT_TRUE(core_.AvailableDevices().empty());
  const auto reasons = core_.UnavailableDevices();
  ASSERT_EQ(reasons.count("FAKE"), 1u);
  EXPECT_EQ(reasons.at("FAKE").code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(reasons.at("FAKE").message(), HasSubstr("fake.ko is not loaded"));
  const absl::Status status = core_.Compile(ChainModel(), "FAKE").status();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(status.message(), HasSubstr("fake.ko is not loaded"));
  // A device that is plugged in later works.
  device_->SetNoDriver("");
  EXPECT_THAT(core_.AvailableDevices(), testing::ElementsAre("FAKE"));
  EXPECT_TRUE(Compile().NewRequest()->Infer().ok());
}

TEST_F(FakeFaultsTest, RefusesAnOperation) {
  device_->RefuseOp("Relu", "the activation unit is broken");
  const auto query = core_.Query(ChainModel(), "FAKE");
  ASSERT_TRUE(query.ok()) << query.status();
  EXPECT_FALSE(query->all_supported());
  EXPECT_EQ(query->Find("relu")->device, "");
  EXPECT_THAT(query->Find("relu")->reason.message(),
              HasSubstr("the activation unit is broken"));
  EXPECT_EQ(query->Find("add")->device, "FAKE");
  const absl::Status status = core_.Compile(ChainModel(), "FAKE").status();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented);
  EXPECT_THAT(
      status.message(),
      AllOf(HasSubstr("'relu'"), HasSubstr("the activation unit is broken")));
  device_->RefuseOp("Relu", "");
  EXPECT_TRUE(core_.Compile(ChainModel(), "FAKE").ok());
}

TEST_F(FakeFaultsTest, CompilingFails) {
  device_->FailCompile(absl::InternalError("register allocation failed"));
  EXPECT_EQ(core_.Compile(ChainModel(), "FAKE").status(),
            absl::InternalError("register allocation failed"));
  EXPECT_TRUE(core_.Query(ChainModel(), "FAKE")->all_supported());
  device_->FailCompile(absl::OkStatus());
  EXPECT_TRUE(core_.Compile(ChainModel(), "FAKE").ok());
}

TEST_F(FakeFaultsTest, RunningFailsAtALayer) {
  const CompiledModel model = Compile();
  auto request = model.NewRequest().value();
  std::promise<absl::Status> told;
  ASSERT_TRUE(request
                  .SetCallback([&](const absl::Status& status) {
                    told.set_value(status);
                  })
                  .ok());
  device_->FailRun(absl::DataLossError("bits flipped"), "relu");
  ASSERT_TRUE(request.StartAsync().ok());
  const absl::Status status = request.Wait();
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(status.message(),
              AllOf(HasSubstr("'relu'"), HasSubstr("bits flipped")));
  EXPECT_EQ(told.get_future().get(), status);
  EXPECT_EQ(request.Infer(), status);
  // The request works again when the device does.
  device_->FailRun(absl::OkStatus());
  EXPECT_TRUE(request.Infer().ok());
}

TEST_F(FakeFaultsTest, LayersThatWereNotReachedAreNotInTheProfile) {
  const CompiledModel model =
      core_.Compile(ChainModel(), "FAKE", {{"PERF_COUNT", "YES"}}).value();
  auto request = model.NewRequest().value();
  device_->FailRun(absl::DataLossError("bits flipped"), "relu");
  EXPECT_FALSE(request.Infer().ok());
  const auto records = request.Profiling().value();
  ASSERT_EQ(records.size(), 3u + 2u);
  EXPECT_EQ(records[0].status, ProfilingRecord::Status::kExecuted);
  EXPECT_EQ(records[1].status, ProfilingRecord::Status::kNotRun);
}

TEST_F(FakeFaultsTest, ALostDeviceFailsAllThatFollows) {
  const CompiledModel model = Compile();
  auto request = model.NewRequest().value();
  ASSERT_TRUE(request.Infer().ok());
  device_->Lose("it was unplugged");
  for (const absl::Status& status :
       {request.Infer(), model.NewRequest().status(),
        core_.Compile(ChainModel(), "FAKE").status(),
        core_.UnavailableDevices().at("FAKE")}) {
    EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable) << status;
    EXPECT_THAT(status.message(), HasSubstr("it was unplugged"));
  }
  EXPECT_TRUE(core_.AvailableDevices().empty());
}

TEST_F(FakeFaultsTest, ItIsLostAtALaunch) {
  device_->LoseAtLaunch(3);
  const CompiledModel model = Compile();
  auto request = model.NewRequest().value();
  EXPECT_TRUE(request.Infer().ok());
  EXPECT_TRUE(request.Infer().ok());
  const absl::Status status = request.Infer();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable) << status;
  EXPECT_THAT(status.message(), HasSubstr("launch 3"));
}

TEST_F(FakeFaultsTest, WhatRunsWhenTheDeviceIsLostEnds) {
  const CompiledModel model = Compile();
  std::vector<InferRequest> requests;
  for (int i = 0; i < 3; ++i) requests.push_back(model.NewRequest().value());
  device_->StopAnswering();
  for (InferRequest& request : requests) {
    ASSERT_TRUE(request.StartAsync().ok());
  }
  device_->Lose("it was unplugged");
  for (InferRequest& request : requests) {
    EXPECT_EQ(request.Wait().code(), absl::StatusCode::kUnavailable);
  }
}

TEST_F(FakeFaultsTest, ADeviceThatDoesNotAnswerKeepsRequestsBusy) {
  const CompiledModel model = Compile();
  auto request = model.NewRequest().value();
  device_->StopAnswering();
  ASSERT_TRUE(request.StartAsync().ok());
  EXPECT_FALSE(request.WaitFor(milliseconds(0)).value());
  const Tensor tensor = Tensor::Allocate(ElementType::kF32, {2, 3}).value();
  for (const absl::Status& status :
       {request.StartAsync(), request.Infer(), request.SetInput("x", tensor),
        request.SetOutput("y", tensor), request.Output("y").status(),
        request.SetCallback(nullptr), request.Profiling().status(),
        request.Variables().status()}) {
    EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition) << status;
    EXPECT_THAT(status.message(), HasSubstr("busy"));
  }
  device_->Answer();
  EXPECT_TRUE(request.Wait().ok());
  EXPECT_TRUE(request.WaitFor(milliseconds(0)).value());
  EXPECT_TRUE(request.SetInput("x", tensor).ok());
}

TEST_F(FakeFaultsTest, CancelEndsWhatIsNotAnswered) {
  const CompiledModel model = Compile();
  auto request = model.NewRequest().value();
  device_->StopAnswering();
  ASSERT_TRUE(request.StartAsync().ok());
  request.Cancel();
  EXPECT_EQ(request.Wait().code(), absl::StatusCode::kCancelled);
  device_->Answer();
  EXPECT_TRUE(request.Infer().ok()) << "the next inference is another one";
}

TEST_F(FakeFaultsTest, CancelFromElsewhereEndsInfer) {
  const CompiledModel model = Compile();
  auto request = model.NewRequest().value();
  device_->StopAnswering();
  std::thread other([&] {
    // Before Infer has begun there is nothing to cancel.
    while (request.WaitFor(milliseconds(0)).status().code() ==
           absl::StatusCode::kFailedPrecondition) {
      std::this_thread::yield();
    }
    request.Cancel();
  });
  EXPECT_EQ(request.Infer().code(), absl::StatusCode::kCancelled);
  other.join();
}

TEST_F(FakeFaultsTest, RequestsThatAreNotAnsweredCanBeDestroyed) {
  std::promise<absl::Status> told;
  {
    const CompiledModel model = Compile();
    auto request = model.NewRequest().value();
    ASSERT_TRUE(request
                    .SetCallback([&](const absl::Status& status) {
                      told.set_value(status);
                    })
                    .ok());
    device_->StopAnswering();
    ASSERT_TRUE(request.StartAsync().ok());
  }
  EXPECT_EQ(told.get_future().get().code(), absl::StatusCode::kCancelled);
  // A stage that was still in the host's queue goes when its turn comes.
  std::promise<void> flushed;
  device_->host_thread().Schedule([&] { flushed.set_value(); });
  flushed.get_future().wait();
  EXPECT_EQ(device_->memory_left(), device_->memory_size());
}

TEST_F(FakeFaultsTest, OneHangingRequestDoesNotHoldUpAnother) {
  const CompiledModel model = Compile();
  auto hanging = model.NewRequest().value();
  auto other = model.NewRequest().value();
  device_->StopAnswering();
  ASSERT_TRUE(hanging.StartAsync().ok());
  ASSERT_TRUE(other.StartAsync().ok());
  hanging.Cancel();
  EXPECT_EQ(hanging.Wait().code(), absl::StatusCode::kCancelled);
  EXPECT_FALSE(other.WaitFor(milliseconds(0)).value());
  device_->Answer();
  EXPECT_TRUE(other.Wait().ok());
}

TEST_F(FakeFaultsTest, WrongKernel) {
  InferRequest request = *Compile().NewRequest();
  device_->SpoilRun(
      "relu", [](Tensor& tensor) { tensor.mutable_data<float>()[1] = 7; });
  ASSERT_TRUE(request.Infer().ok());
  EXPECT_EQ(request.Output(0)->data<float>()[1], 14);
  EXPECT_EQ(request.Output(0)->data<float>()[0], 2);
  device_->SpoilRun("", nullptr);
  ASSERT_TRUE(request.Infer().ok());
  EXPECT_EQ(request.Output(0)->data<float>()[1], 2);
}

}  // namespace
}  // namespace dovetail
