// MULTI on two made-up accelerators, A and B.
#include <atomic>
#include <chrono>
#include <cstdint>
#include <future>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "dovetail/backends/multi/multi_plugin.h"
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
using testing::HasSubstr;

class MultiTest : public testing::Test {
 protected:
  MultiTest() : core_(&registry_) {
    for (const auto& device : {a_, b_}) {
      EXPECT_TRUE(registry_
                      .Register(device->name(),
                                [device] { return MakeFakePlugin(device); })
                      .ok());
    }
    EXPECT_TRUE(
        registry_.Register("MULTI", [] { return MakeMultiPlugin(); }).ok());
  }

  CompiledModel Compile(const Model& model, const std::string& device,
                        PropertyMap properties = {}) const {
    properties["PERF_COUNT"] = "YES";
    auto compiled = core_.Compile(model, device, properties);
    EXPECT_TRUE(compiled.ok()) << compiled.status();
    return *std::move(compiled);
  }

  absl::Status ErrorOf(const std::string& device,
                       const PropertyMap& properties = {}) const {
    return core_.Compile(ChainModel(), device, properties).status();
  }

  static InferRequest RequestOf(const CompiledModel& chain) {
    InferRequest request = chain.NewRequest().value();
    EXPECT_TRUE(request.SetInput("x", ChainInput()).ok());
    return request;
  }

  static bool IsRight(InferRequest& request) {
    const Tensor y = request.Output("y").value();
    const std::vector<double> want = ChainOutput();
    for (size_t i = 0; i < want.size(); ++i) {
      if (y.data<float>()[i] != want[i]) return false;
    }
    return true;
  }
  static void ExpectRight(InferRequest& request) {
    EXPECT_TRUE(IsRight(request)) << request.Output("y")->ToString();
  }

  // Which device has run the last inference.
  static std::string DeviceOf(InferRequest& request) {
    const auto records = request.Profiling();
    return records.ok() && !records->empty() ? records->front().device : "";
  }

  std::string DevicesOf(InferRequest& request, int count) {
    std::string devices;
    for (int i = 0; i < count; ++i) {
      EXPECT_TRUE(request.Infer().ok());
      ExpectRight(request);
      devices += DeviceOf(request);
    }
    return devices;
  }

  const std::shared_ptr<FakeDevice> a_ = std::make_shared<FakeDevice>("A");
  const std::shared_ptr<FakeDevice> b_ = std::make_shared<FakeDevice>("B");
  PluginRegistry registry_;
  Core core_;
};

TEST_F(MultiTest, PoliciesChooseTheDevice) {
  InferRequest first = RequestOf(Compile(ChainModel(), "MULTI:A,B"));
  EXPECT_EQ(DevicesOf(first, 3), "AAA");
  InferRequest in_turn = RequestOf(
      Compile(ChainModel(), "MULTI:A,B", {{"SCHEDULE_POLICY", "ROUND_ROBIN"}}));
  EXPECT_EQ(DevicesOf(in_turn, 4), "ABAB");
}

// A is busy until it answers again.
TEST_F(MultiTest, WhatTheFirstDeviceCannotTakeGoesToTheNext) {
  const CompiledModel chain = Compile(ChainModel(), "MULTI:A(1),B(1)");
  EXPECT_EQ(chain.GetProperty("OPTIMAL_NUMBER_OF_INFER_REQUESTS").value(), "2");
  a_->StopAnswering();
  InferRequest on_a = RequestOf(chain), on_b = RequestOf(chain);
  InferRequest waits = RequestOf(chain);
  ASSERT_TRUE(on_a.StartAsync().ok());
  ASSERT_TRUE(on_b.Infer().ok());
  EXPECT_EQ(DeviceOf(on_b), "B");
  b_->StopAnswering();
  ASSERT_TRUE(on_b.StartAsync().ok());
  ASSERT_TRUE(waits.StartAsync().ok());
  a_->Answer();
  ASSERT_TRUE(waits.Wait().ok());
  EXPECT_EQ(DeviceOf(waits), "A");
  ExpectRight(waits);
  b_->Answer();
  ASSERT_TRUE(on_a.Wait().ok());
  ASSERT_TRUE(on_b.Wait().ok());
}

TEST_F(MultiTest, WhoWaitsCanBeCancelled) {
  const CompiledModel chain = Compile(ChainModel(), "MULTI:A(1)");
  a_->StopAnswering();
  InferRequest running = RequestOf(chain), waiting = RequestOf(chain);
  ASSERT_TRUE(running.StartAsync().ok());
  ASSERT_TRUE(waiting.StartAsync().ok());
  waiting.Cancel();
  EXPECT_EQ(waiting.Wait().code(), absl::StatusCode::kCancelled);
  a_->Answer();
  EXPECT_TRUE(running.Wait().ok());
  EXPECT_TRUE(waiting.Infer().ok());
  ExpectRight(waiting);
}

// Not even by a request that is on its way to the line of those who wait.
TEST_F(MultiTest, ACancelIsNeverLost) {
  const CompiledModel chain = Compile(ChainModel(), "MULTI:A(1)");
  InferRequest running = RequestOf(chain), waiting = RequestOf(chain);
  a_->StopAnswering();
  ASSERT_TRUE(running.StartAsync().ok());
  for (int i = 0; i < 100; ++i) {
    std::thread other([&] { EXPECT_TRUE(waiting.StartAsync().ok()); });
    while (waiting.Input("x").ok()) {  // until it is busy
      std::this_thread::yield();
    }
    waiting.Cancel();
    const auto ended = waiting.WaitFor(std::chrono::seconds(20));
    other.join();
    ASSERT_EQ(ended.status().code(), absl::StatusCode::kCancelled);
  }
  a_->Answer();
  EXPECT_TRUE(running.Wait().ok());
}

// The same with nothing left to chance.
TEST_F(MultiTest, ACancelBeforeTheLineIsKept) {
  const CompiledModel chain = Compile(ChainModel(), "MULTI:A(1)");
  InferRequest running = RequestOf(chain);
  const auto waiting = chain.executable()->NewContext().value();
  a_->StopAnswering();
  ASSERT_TRUE(running.StartAsync().ok());
  waiting->Begin(/*synchronous=*/false);
  waiting->Cancel();
  absl::Status ended = absl::UnknownError("it has not ended");
  waiting->stages()[0].start(
      [&](const absl::Status& status) { ended = status; });
  EXPECT_EQ(ended.code(), absl::StatusCode::kCancelled) << ended;
  a_->Answer();
  EXPECT_TRUE(running.Wait().ok());
}

// What the slot has of the inference before is of no account.
TEST_F(MultiTest, TensorsAreThoseOfTheInference) {
  const CompiledModel chain = Compile(ChainModel(), "MULTI:A(1)");
  InferRequest one = RequestOf(chain), other = RequestOf(chain);
  for (int i = 0; i < 3; ++i) {
    for (InferRequest* request : {&one, &other}) {
      const Tensor y = Floats({2, 3}, {0, 0, 0, 0, 0, 0});
      ASSERT_TRUE(request->SetOutput("y", y).ok());
      for (int again = 0; again < 2; ++again) {
        ASSERT_TRUE(request->Infer().ok());
        EXPECT_EQ(request->Output("y")->address(), y.address());
        ExpectRight(*request);
        y.SetElement(0, 1000);
      }
      ASSERT_TRUE(request->SetOutput("y", Tensor()).ok());
      ASSERT_TRUE(request->Infer().ok());
      ExpectRight(*request);
      EXPECT_EQ(y.ElementAsDouble(0), 1000);
    }
  }
}

// The next inference of the device is somebody else's.
TEST_F(MultiTest, ResultsStayWhatTheyAre) {
  const CompiledModel dynamic = Compile(DynamicModel(), "MULTI:A(1)");
  InferRequest one = dynamic.NewRequest().value();
  InferRequest other = dynamic.NewRequest().value();
  ASSERT_TRUE(one.SetInput("x", Floats({1, 3}, {1, 2, 3})).ok());
  ASSERT_TRUE(other.SetInput("x", Floats({1, 3}, {7, 8, 9})).ok());
  ASSERT_TRUE(one.Infer().ok());
  const Tensor result = one.Output("y").value();
  ASSERT_TRUE(other.Infer().ok());
  EXPECT_EQ(result.data<float>()[2], 3);
}

TEST_F(MultiTest, ALostDeviceLosesNoInference) {
  const CompiledModel chain = Compile(ChainModel(), "MULTI:A,B");
  InferRequest request = RequestOf(chain);
  EXPECT_EQ(DevicesOf(request, 1), "A");
  a_->Lose("unplugged");
  EXPECT_EQ(DevicesOf(request, 2), "BB");
  EXPECT_EQ(chain.GetProperty("EXECUTION_DEVICES").value(), "B");
  b_->Lose("unplugged, too");
  EXPECT_EQ(request.Infer().code(), absl::StatusCode::kUnavailable);
}

TEST_F(MultiTest, LosingADeviceIsAnErrorWhereThatIsWanted) {
  const CompiledModel chain =
      Compile(ChainModel(), "MULTI:A,B", {{"ENABLE_RUNTIME_FALLBACK", "NO"}});
  InferRequest request = RequestOf(chain);
  a_->Lose("unplugged");
  EXPECT_THAT(request.Infer().message(), HasSubstr("unplugged"));
}

TEST_F(MultiTest, PrioritiesChangeWhileItRuns) {
  const CompiledModel chain = Compile(ChainModel(), "MULTI:A,B");
  InferRequest request = RequestOf(chain);
  EXPECT_EQ(DevicesOf(request, 1), "A");
  const std::string key = "MULTI_DEVICE_PRIORITIES";
  ASSERT_TRUE(chain.SetProperty(key, "B,A").ok());
  EXPECT_EQ(DevicesOf(request, 1), "B");
  EXPECT_EQ(chain.GetProperty(key).value(), "B,A");
  ASSERT_TRUE(chain.SetProperty(key, "A").ok());
  EXPECT_EQ(DevicesOf(request, 1), "A");
  EXPECT_THAT(chain.SetProperty(key, "A,C").message(),
              AllOf(HasSubstr("'C'"), HasSubstr("A, B")));
}

// Each request counts by itself, on a device of its own.
TEST_F(MultiTest, VariablesStayOnOneDevice) {
  const CompiledModel counter = Compile(CounterModel(), "MULTI:A,B");
  InferRequest one = counter.NewRequest().value();
  InferRequest other = counter.NewRequest().value();
  for (InferRequest* request : {&one, &other}) {
    ASSERT_TRUE(request->SetInput("x", Floats({2}, {1, 2})).ok());
  }
  for (int i = 1; i <= 3; ++i) {
    ASSERT_TRUE(one.Infer().ok());
    EXPECT_EQ(one.Output("y")->data<float>()[1], 2 * i);
  }
  ASSERT_TRUE(other.Infer().ok());
  EXPECT_EQ(other.Output("y")->data<float>()[1], 2);
  EXPECT_NE(DeviceOf(one), DeviceOf(other));
}

TEST_F(MultiTest, ListsThatAreWrong) {
  EXPECT_THAT(ErrorOf("MULTI").message(), HasSubstr("such as MULTI:GPU,CPU"));
  EXPECT_THAT(ErrorOf("MULTI:A(0)").message(), HasSubstr("from 1 to 1024"));
  EXPECT_THAT(
      ErrorOf("MULTI:A,B", {{"MULTI_DEVICE_PRIORITIES", "A"}}).message(),
      HasSubstr("want one of them"));
  EXPECT_THAT(ErrorOf("MULTI:A(x)").message(), HasSubstr("'A(x)'"));
  EXPECT_THAT(ErrorOf("MULTI:A,A(2)").message(), HasSubstr("twice"));
  EXPECT_TRUE(ErrorOf("MULTI: A (2), B(1)").ok());
  EXPECT_THAT(ErrorOf("A,B").message(),
              HasSubstr("want a name such as CPU, GPU.1 or MULTI:"));
  EXPECT_THAT(ErrorOf("MULTI:A", {{"SCHEDULE_POLICY", "LUCK"}}).message(),
              HasSubstr("SCHEDULE_POLICY"));
  b_->RefuseOp("Relu", "B has no comparisons");
  EXPECT_THAT(ErrorOf("MULTI:A,B").message(),
              AllOf(HasSubstr("device B"), HasSubstr("no comparisons")));
}

// 10,000 inferences on two devices, of which one is three times as fast as the
// other; one of them is lost at random. None is lost or wrong.
class MultiLossTest : public MultiTest,
                      public testing::WithParamInterface<bool> {
 protected:
  static constexpr int kRequests = 8, kEach = 1250;

  // What the requests do in turns: each starts again when it has ended.
  void RunAll(const CompiledModel& chain) {
    for (int r = 0; r < kRequests; ++r) requests_.push_back(RequestOf(chain));
    for (InferRequest& request : requests_) {
      auto runs = std::make_shared<std::atomic<int>>(kEach);
      const auto again = [this, &request, runs](const absl::Status& status) {
        if (!status.ok() || !IsRight(request)) ++failed_;
        if (--*runs > 0) request.StartAsync().IgnoreError();
        if (--left_ == 0) all_done_.set_value();
      };
      ASSERT_TRUE(request.SetCallback(again).ok());
    }
    for (InferRequest& request : requests_) {
      ASSERT_TRUE(request.StartAsync().ok());
    }
    all_done_.get_future().wait();
    for (InferRequest& request : requests_) EXPECT_TRUE(request.Wait().ok());
  }

  std::vector<InferRequest> requests_;
  std::atomic<int> failed_ = 0, left_ = kRequests * kEach;
  std::promise<void> all_done_;
};

TEST_P(MultiLossTest, NoInferenceIsLostOrWrong) {
  a_->SetLaunchPrice(std::chrono::microseconds(90));
  b_->SetLaunchPrice(std::chrono::microseconds(30));
  const auto& lost = GetParam() ? a_ : b_;
  // Whoever is slow has a quarter of the inferences.
  const int64_t launch = 1 + std::random_device()() % (kRequests * kEach / 8);
  SCOPED_TRACE(launch);
  lost->LoseAtLaunch(launch);
  const CompiledModel chain =
      Compile(ChainModel(), "MULTI:A(2),B(2)", {{"SCHEDULE_POLICY", "SPEED"}});
  RunAll(chain);
  EXPECT_EQ(failed_, 0);
  EXPECT_EQ(chain.GetProperty("EXECUTION_DEVICES").value(),
            GetParam() ? "B" : "A");
}

INSTANTIATE_TEST_SUITE_P(TheSlowAndTheFast, MultiLossTest, testing::Bool());

}  // namespace
}  // namespace dovetail
