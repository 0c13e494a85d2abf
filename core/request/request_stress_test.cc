// Many threads at many requests at once: what must hold is that every inference
// that is begun ends once, and that nothing races (run under tsan).

#include <atomic>
#include <chrono>
#include <memory>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include "dovetail/core/executor/pools/streams_executor.h"
#include "dovetail/core/executor/pools/thread_pool.h"
#include "dovetail/core/request/request.h"
#include "dovetail/core/request/scripted_executable.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

class RequestStressTest : public testing::Test {
 protected:
  RequestStressTest() : streams_(2, 1), device_(1) {}

  // A stage on a stream, one that ends on the device's thread, one more on the
  // stream. Each notes that it is alone in its request.
  std::unique_ptr<Request> NewRequest() {
    Script script;
    Executor* tasks = &streams_.NextStream().tasks();
    script.stages = [this, tasks] {
      auto inside = std::make_shared<std::atomic<int>>(0);
      const auto compute = [this, inside] {
        EXPECT_EQ(inside->fetch_add(1), 0);
        ++stages_run_;
        inside->fetch_sub(1);
        return absl::OkStatus();
      };
      const auto wait_for_device = [this, compute](StageDone done) {
        device_.Schedule([compute, done] { done(compute()); });
      };
      return std::vector<Stage>{
          SynchronousStage("prepare", tasks, compute),
          {"device", nullptr, wait_for_device},
          SynchronousStage("finish", tasks, compute)};
    };
    auto request = Request::Create(
        std::make_shared<ScriptedExecutable>(std::move(script)));
    EXPECT_TRUE(request.ok());
    return *std::move(request);
  }

  StreamsExecutor streams_;
  ThreadPool device_;
  std::atomic<int> stages_run_ = 0;
};

TEST_F(RequestStressTest, ManyRequestsEachInItsThread) {
  constexpr int kThreads = 6, kTimes = 200;
  std::atomic<int> called = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      auto request = NewRequest();
      EXPECT_TRUE(
          request->SetCallback([&](const absl::Status&) { ++called; }).ok());
      for (int i = 0; i < kTimes; ++i) {
        if ((i + t) % 3 == 0) {
          EXPECT_TRUE(request->Infer().ok());
        } else {
          EXPECT_TRUE(request->StartAsync().ok());
          EXPECT_TRUE(request->Wait().ok());
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(called, kThreads * kTimes * 2 / 3);
  EXPECT_EQ(stages_run_, kThreads * kTimes * 3);
}

TEST_F(RequestStressTest, ManyThreadsAtOneRequest) {
  auto request = NewRequest();
  std::atomic<int> begun = 0, ended = 0;
  ASSERT_TRUE(
      request->SetCallback([&](const absl::Status&) { ++ended; }).ok());
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      std::minstd_rand random(t + 1);
      for (int i = 0; i < 400; ++i) {
        switch (random() % 6) {
          case 0: request->Cancel(); break;
          case 1: (void)request->WaitFor(std::chrono::milliseconds(0)); break;
          case 2: (void)request->Wait(); break;
          case 3: (void)request->Output(0); break;
          default:
            if (request->StartAsync().ok()) ++begun;
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  (void)request->Wait();
  EXPECT_GT(begun, 0);
  EXPECT_EQ(begun, ended);
  EXPECT_TRUE(request->Infer().ok());
}

TEST_F(RequestStressTest, DestroyedAtAnyMoment) {
  std::atomic<int> begun = 0, ended = 0;
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      std::minstd_rand random(t + 1);
      for (int i = 0; i < 200; ++i) {
        auto request = NewRequest();
        EXPECT_TRUE(
            request->SetCallback([&](const absl::Status&) { ++ended; }).ok());
        EXPECT_TRUE(request->StartAsync().ok());
        ++begun;
        for (unsigned spin = random() % 50; spin > 0; --spin) {
          std::this_thread::yield();
        }
        if (random() % 2 == 0) request->Cancel();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(begun, ended);
}

TEST_F(RequestStressTest, ChainsOfCallbacks) {
  constexpr int kRequests = 5, kTimes = 100;
  std::vector<std::unique_ptr<Request>> requests;
  std::vector<int> left(kRequests, kTimes);
  for (int r = 0; r < kRequests; ++r) {
    requests.push_back(NewRequest());
    Request* request = requests.back().get();
    ASSERT_TRUE(request
                    ->SetCallback([request, &left, r](const absl::Status& s) {
                      EXPECT_TRUE(s.ok());
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
