// Many threads at once. What must hold is that every inference ends once with
// the right result, and that nothing races (run with --config=tsan).

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include "dovetail/testing/backend/device_test.h"
#include "dovetail/testing/graphs/small_models.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

constexpr int kThreads = 4;

class ThreadsTest : public DeviceTest {
 protected:
  // Calls `body` with the number of the thread, in each of some threads.
  static void InThreads(const std::function<void(int)>& body) {
    std::vector<std::thread> threads;
    for (int t = 0; t < kThreads; ++t) threads.emplace_back(body, t);
    for (std::thread& thread : threads) thread.join();
  }
  // Runs a request of TwoByTwoModel with inputs `n`.
  void ExpectRight(InferRequest& request, double n, bool async) const {
    const Tensor tensor = Floats({4}, {n, n, n, n});
    ASSERT_TRUE(request.SetInput("a", tensor).ok());
    ASSERT_TRUE(request.SetInput("b", tensor).ok());
    if (async) {
      ASSERT_TRUE(request.StartAsync().ok());
      ASSERT_TRUE(request.Wait().ok());
    } else {
      ASSERT_TRUE(request.Infer().ok());
    }
    ASSERT_TRUE(Gives(request.Output("product"), {n * n, n * n, n * n, n * n}));
  }
};

TEST_F(ThreadsTest, EachWithARequestOfTheSameModel) {
  const CompiledModel model = Compile(TwoByTwoModel());
  InThreads([&](int t) {
    InferRequest request = model.NewRequest().value();
    for (int i = 0; i < 50; ++i) ExpectRight(request, t + i, i % 2 == 0);
  });
}

TEST_F(ThreadsTest, EachWithModelsOfItsOwn) {
  InThreads([&](int t) {
    for (int i = 0; i < 5; ++i) {
      const CompiledModel model = Compile(TwoByTwoModel());
      InferRequest first = model.NewRequest().value();
      InferRequest second = model.NewRequest().value();
      ExpectRight(first, t + i, true);
      ExpectRight(second, t - i, false);
    }
  });
}

TEST_F(ThreadsTest, QuestionsMeanwhile) {
  const CompiledModel model = Compile(TwoByTwoModel());
  InThreads([&](int t) {
    for (int i = 0; i < 10; ++i) {
      if (t % 2 == 0) {
        InferRequest request = model.NewRequest().value();
        ExpectRight(request, i, true);
        continue;
      }
      EXPECT_TRUE(core_.Query(ChainModel(), device()).ok());
      EXPECT_FALSE(core_.AvailableDevices().empty());
      const auto schema = core_.Properties(device());
      for (const auto& spec : schema.value().specs()) {
        EXPECT_TRUE(core_.GetProperty(device(), spec.name).ok());
      }
      EXPECT_TRUE(model.GetProperty("NETWORK_NAME").ok());
    }
  });
}

// Each thread does anything with the same request.
TEST_F(ThreadsTest, AllAtOneRequest) {
  const CompiledModel model = Compile(TwoByTwoModel());
  InferRequest request = model.NewRequest().value();
  std::atomic<int> started = 0, ended = 0;
  ASSERT_TRUE(request.SetCallback([&](const absl::Status&) { ++ended; }).ok());
  const auto expect_allowed = [](const absl::Status& status) {
    EXPECT_TRUE(status.ok() ||
                status.code() == absl::StatusCode::kFailedPrecondition ||
                status.code() == absl::StatusCode::kCancelled)
        << status;
  };
  const Tensor tensor = Floats({4}, {1, 2, 3, 4});
  InThreads([&](int t) {
    std::minstd_rand random(t + 1);
    for (int i = 0; i < 200; ++i) {
      switch (random() % 7) {
        case 0:
          request.Cancel();
          break;
        case 1:
          expect_allowed(request.Wait());
          break;
        case 2:
          expect_allowed(request.Output(0).status());
          break;
        case 3:
          expect_allowed(request.SetInput(0, tensor));
          break;
        case 4:
          expect_allowed(
              request.WaitFor(std::chrono::milliseconds(0)).status());
          break;
        default: {
          const absl::Status status = request.StartAsync();
          expect_allowed(status);
          if (status.ok()) ++started;
        }
      }
    }
  });
  (void)request.Wait();
  EXPECT_GT(started, 0);
  EXPECT_EQ(started, ended);
  ExpectRight(request, 3, true);
}

TEST_F(ThreadsTest, RequestsComeAndGoAtAnyMoment) {
  const CompiledModel model = Compile(LongModel(20, 100));
  std::atomic<int> started = 0, ended = 0;
  InThreads([&](int t) {
    std::minstd_rand random(t + 1);
    for (int i = 0; i < 50; ++i) {
      InferRequest request = model.NewRequest().value();
      EXPECT_TRUE(
          request.SetCallback([&](const absl::Status&) { ++ended; }).ok());
      EXPECT_TRUE(request.StartAsync().ok());
      ++started;
      for (unsigned spin = random() % 30; spin > 0; --spin) {
        std::this_thread::yield();
      }
      if (random() % 2 == 0) request.Cancel();
    }
  });
  EXPECT_EQ(started, ended);
}

TEST_F(ThreadsTest, ChainsOfCallbacks) {
  constexpr int kRequests = 4, kTimes = 100;
  const CompiledModel model = Compile(TwoByTwoModel());
  std::vector<std::unique_ptr<InferRequest>> requests;
  std::vector<int> left(kRequests, kTimes);
  for (int r = 0; r < kRequests; ++r) {
    requests.push_back(
        std::make_unique<InferRequest>(model.NewRequest().value()));
    InferRequest* const request = requests.back().get();
    ASSERT_TRUE(request
                    ->SetCallback([request, &left, r](const absl::Status& s) {
                      EXPECT_TRUE(s.ok()) << s;
                      if (--left[r] > 0) {
                        EXPECT_TRUE(request->StartAsync().ok());
                      }
                    })
                    .ok());
  }
  for (auto& request : requests) ASSERT_TRUE(request->StartAsync().ok());
  for (auto& request : requests) EXPECT_TRUE(request->Wait().ok());
  for (const int count : left) EXPECT_EQ(count, 0);
}

}  // namespace
}  // namespace dovetail
