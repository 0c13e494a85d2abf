// The life of a request on a device: idle, busy, cancelled, destroyed. What the
// state machine does by itself is tested in core/request.

#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "dovetail/testing/backend/device_test.h"
#include "dovetail/testing/graphs/small_models.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using std::chrono::milliseconds;
using testing::HasSubstr;

class RequestsTest : public DeviceTest {
 protected:
  // With the input of the chain.
  std::unique_ptr<InferRequest> NewChain(
      const PropertyMap& properties = {}) const {
    auto request =
        std::make_unique<InferRequest>(NewRequest(ChainModel(), properties));
    EXPECT_TRUE(request->SetInput("x", ChainInput()).ok());
    return request;
  }
};

bool IsBusy(const absl::Status& status) {
  return status.code() == absl::StatusCode::kFailedPrecondition;
}

TEST_F(RequestsTest, InfersAgainAndAgain) {
  const auto request = NewChain();
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(request->Infer().ok());
    EXPECT_TRUE(Gives(request->Output("y"), ChainOutput()));
    ASSERT_TRUE(request->StartAsync().ok());
    ASSERT_TRUE(request->Wait().ok());
    EXPECT_TRUE(Gives(request->Output("y"), ChainOutput()));
  }
}

TEST_F(RequestsTest, BeforeTheFirstStartThereIsNothingToWaitFor) {
  const auto request = NewChain();
  EXPECT_EQ(request->Wait().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(request->WaitFor(milliseconds(0)).status().code(),
            absl::StatusCode::kFailedPrecondition);
}

TEST_F(RequestsTest, WaitForEndsWithTheInference) {
  const auto request = NewChain();
  ASSERT_TRUE(request->StartAsync().ok());
  absl::StatusOr<bool> ended = false;
  while (ended.ok() && !*ended) ended = request->WaitFor(milliseconds(1));
  EXPECT_TRUE(ended.ok()) << ended.status();
  EXPECT_TRUE(Gives(request->Output("y"), ChainOutput()));
  EXPECT_TRUE(request->WaitFor(milliseconds(0)).value());
}

// Whether a request is still busy when it is asked is not for a test to say,
// but what it answers is one or the other.
TEST_F(RequestsTest, BusyOnesRefuseAndIdleOnesDo) {
  auto request =
      std::make_unique<InferRequest>(NewRequest(LongModel(50, 1000)));
  const std::vector<double> ones(1000, 1);
  const Tensor x = Floats({1000}, ones);
  ASSERT_TRUE(request->SetInput("x", x).ok());
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(request->StartAsync().ok());
    for (const absl::Status& status :
         {request->SetInput("x", x), request->Output(0).status(),
          request->SetOutput(0, Tensor()), request->Profiling().status(),
          request->Variables().status(), request->SetCallback(nullptr),
          request->StartAsync()}) {
      if (status.ok()) continue;
      EXPECT_TRUE(IsBusy(status)) << status;
      EXPECT_THAT(status.message(), HasSubstr("busy"));
    }
    ASSERT_TRUE(request->Wait().ok());
    EXPECT_TRUE(Gives(request->Output(0), std::vector<double>(1000, 51)));
  }
}

TEST_F(RequestsTest, RequestsOfOneModelAreIndependent) {
  const CompiledModel model = Compile(TwoByTwoModel());
  std::vector<InferRequest> requests;
  for (int r = 0; r < 4; ++r) {
    requests.push_back(model.NewRequest().value());
    const double value = r + 1;
    const Tensor tensor = Floats({4}, {value, value, value, value});
    ASSERT_TRUE(requests[r].SetInput("a", tensor).ok());
    ASSERT_TRUE(requests[r].SetInput("b", tensor).ok());
  }
  for (InferRequest& request : requests) ASSERT_TRUE(request.StartAsync().ok());
  for (InferRequest& request : requests) ASSERT_TRUE(request.Wait().ok());
  for (int r = 0; r < 4; ++r) {
    const double n = r + 1;
    EXPECT_TRUE(Gives(requests[r].Output("sum"), {2 * n, 2 * n, 2 * n, 2 * n}));
    EXPECT_TRUE(
        Gives(requests[r].Output("product"), {n * n, n * n, n * n, n * n}));
  }
}

TEST_F(RequestsTest, OutliveTheModelAndTheCore) {
  std::unique_ptr<InferRequest> request;
  Tensor y;
  {
    Core core;
    auto model = core.Compile(ChainModel(), device());
    ASSERT_TRUE(model.ok()) << model.status();
    request = std::make_unique<InferRequest>(model->NewRequest().value());
  }
  ASSERT_TRUE(request->SetInput("x", ChainInput()).ok());
  ASSERT_TRUE(request->Infer().ok());
  y = request->Output("y").value();
  request.reset();
  EXPECT_TRUE(Gives(y, ChainOutput())) << "and tensors outlive requests";
}

// ---- Callbacks ----

TEST_F(RequestsTest, CallbacksFindTheRequestIdleAndTheResultsThere) {
  const auto request = NewChain();
  int calls = 0;
  ASSERT_TRUE(request
                  ->SetCallback([&](const absl::Status& status) {
                    ++calls;
                    EXPECT_TRUE(status.ok()) << status;
                    EXPECT_TRUE(Gives(request->Output("y"), ChainOutput()));
                    EXPECT_TRUE(request->SetInput("x", ChainInput()).ok());
                  })
                  .ok());
  ASSERT_TRUE(request->StartAsync().ok());
  ASSERT_TRUE(request->Wait().ok());
  EXPECT_EQ(calls, 1);
  ASSERT_TRUE(request->Infer().ok());
  EXPECT_EQ(calls, 1) << "Infer does not call back";
  ASSERT_TRUE(request->SetCallback(nullptr).ok());
  ASSERT_TRUE(request->StartAsync().ok());
  ASSERT_TRUE(request->Wait().ok());
  EXPECT_EQ(calls, 1);
}

TEST_F(RequestsTest, CallbacksMayStartAgain) {
  constexpr int kTimes = 2000;
  const auto request = NewChain();
  int calls = 0;
  ASSERT_TRUE(request
                  ->SetCallback([&](const absl::Status& status) {
                    EXPECT_TRUE(status.ok()) << status;
                    if (++calls < kTimes) {
                      EXPECT_TRUE(request->StartAsync().ok());
                    }
                  })
                  .ok());
  ASSERT_TRUE(request->StartAsync().ok());
  ASSERT_TRUE(request->Wait().ok());
  EXPECT_EQ(calls, kTimes);
}

TEST_F(RequestsTest, CallbacksMayDestroyTheLastOfAModel) {
  std::unique_ptr<InferRequest> request = NewChain();
  InferRequest* const raw = request.get();
  std::promise<void> destroyed;
  ASSERT_TRUE(raw->SetCallback([&](const absl::Status&) {
                   request.reset();
                   destroyed.set_value();
                 })
                  .ok());
  ASSERT_TRUE(raw->StartAsync().ok());
  destroyed.get_future().wait();
  EXPECT_EQ(request, nullptr);
}

TEST_F(RequestsTest, OneCallbackMayDestroyAnotherRequest) {
  const CompiledModel model = Compile(ChainModel());
  auto first = std::make_unique<InferRequest>(model.NewRequest().value());
  auto second = std::make_unique<InferRequest>(model.NewRequest().value());
  std::atomic<int> calls = 0;
  ASSERT_TRUE(second->SetCallback([&](const absl::Status&) { ++calls; }).ok());
  ASSERT_TRUE(first
                  ->SetCallback([&](const absl::Status&) {
                    second.reset();
                    ++calls;
                  })
                  .ok());
  ASSERT_TRUE(second->StartAsync().ok());
  ASSERT_TRUE(first->StartAsync().ok());
  ASSERT_TRUE(first->Wait().ok());
  EXPECT_EQ(calls, 2);
}

// ---- The end ----

TEST_F(RequestsTest, CancelEndsAnInferenceAndNoOther) {
  auto request =
      std::make_unique<InferRequest>(NewRequest(LongModel(50, 1000)));
  std::atomic<int> calls = 0;
  absl::Status told;
  ASSERT_TRUE(request
                  ->SetCallback([&](const absl::Status& status) {
                    told = status;
                    ++calls;
                  })
                  .ok());
  for (int i = 1; i <= 30; ++i) {
    ASSERT_TRUE(request->StartAsync().ok());
    request->Cancel();
    const absl::Status status = request->Wait();
    EXPECT_TRUE(status.ok() || status.code() == absl::StatusCode::kCancelled)
        << status;
    EXPECT_EQ(told, status);
    EXPECT_EQ(calls, i);
    request->Cancel();  // of an idle one: nothing
    EXPECT_TRUE(request->Infer().ok());
  }
}

TEST_F(RequestsTest, DestroyedWhileBusyTheyTellTheCallbackOnce) {
  const CompiledModel model = Compile(LongModel(50, 1000));
  for (int i = 0; i < 30; ++i) {
    std::atomic<int> calls = 0;
    {
      InferRequest request = model.NewRequest().value();
      ASSERT_TRUE(
          request.SetCallback([&](const absl::Status&) { ++calls; }).ok());
      ASSERT_TRUE(request.StartAsync().ok());
      for (int spin = 0; spin < i; ++spin) std::this_thread::yield();
    }
    EXPECT_EQ(calls, 1);
  }
}

TEST_F(RequestsTest, ErrorsReachWaitAndTheCallbackAndAreOverThen) {
  DOVETAIL_SKIP_UNLESS_SUPPORTED(DynamicModel());
  InferRequest request = NewRequest(DynamicModel());
  std::promise<absl::Status> told;
  ASSERT_TRUE(request
                  .SetCallback([&](const absl::Status& status) {
                    told.set_value(status);
                  })
                  .ok());
  ASSERT_TRUE(request.StartAsync().ok());  // without its input
  const absl::Status status = request.Wait();
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition) << status;
  EXPECT_THAT(status.message(), HasSubstr("'x'"));
  EXPECT_EQ(told.get_future().get(), status);
  EXPECT_EQ(request.WaitFor(milliseconds(0)).status(), status);
  EXPECT_EQ(request.Wait(), status) << "until the next inference";
  ASSERT_TRUE(request.SetInput("x", Floats({1, 3}, {1, 2, 3})).ok());
  EXPECT_TRUE(request.Infer().ok());
  EXPECT_TRUE(request.Wait().ok());
}

}  // namespace
}  // namespace dovetail
