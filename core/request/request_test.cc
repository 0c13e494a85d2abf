#include "dovetail/core/request/request.h"

#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "dovetail/core/executor/inline_executor.h"
#include "dovetail/core/executor/pools/thread_pool.h"
#include "dovetail/core/request/scripted_executable.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using testing::HasSubstr;
using std::chrono::milliseconds;

std::unique_ptr<Request> MakeRequest(Script script) {
  auto request = Request::Create(
      std::make_shared<ScriptedExecutable>(std::move(script)));
  EXPECT_TRUE(request.ok()) << request.status();
  return *std::move(request);
}

std::unique_ptr<Request> MakeRequest(std::vector<Stage> stages) {
  Script script;
  script.stages = [stages] { return stages; };
  return MakeRequest(std::move(script));
}

// A place where a stage's `done` is left for the test to call.
class Gate {
 public:
  void Leave(StageDone done) {
    std::lock_guard<std::mutex> lock(mutex_);
    done_ = std::move(done);
    left_ = true;
    left_.notify_all();
  }
  void Open(absl::Status status = absl::OkStatus()) {
    left_.wait(false);
    OpenIfLeft(std::move(status));
  }
  void OpenIfLeft(absl::Status status) {
    StageDone done;
    {
      std::lock_guard<std::mutex> lock(mutex_);
      done = std::exchange(done_, nullptr);
      if (done != nullptr) left_ = false;
    }
    if (done != nullptr) done(std::move(status));
  }
  void AwaitArrival() { left_.wait(false); }
  Stage AsStage(Executor* executor) {
    return {"gate", executor, [this](StageDone done) { Leave(done); }};
  }

 private:
  std::mutex mutex_;
  StageDone done_;
  std::atomic<bool> left_ = false;
};

absl::StatusCode BusyCode() { return absl::StatusCode::kFailedPrecondition; }

TEST(RequestTest, CreateNeedsAnExecutableWithContexts) {
  EXPECT_EQ(Request::Create(nullptr).status().code(),
            absl::StatusCode::kInvalidArgument);
  class NoContext : public ScriptedExecutable {
   public:
    NoContext() : ScriptedExecutable({}) {}
    absl::StatusOr<std::unique_ptr<ExecutionContext>> NewContext()
        const override {
      return nullptr;
    }
  };
  EXPECT_EQ(Request::Create(std::make_shared<NoContext>()).status().code(),
            absl::StatusCode::kInternal);
}

TEST(RequestTest, InferRunsAllStagesHereInOrder) {
  ThreadPool pool(2);
  std::vector<std::string> ran;
  const auto here = std::this_thread::get_id();
  const auto note = [&](const char* name) {
    return SynchronousStage(name, &pool, [&ran, name, here] {
      EXPECT_EQ(std::this_thread::get_id(), here);
      ran.push_back(name);
      return absl::OkStatus();
    });
  };
  auto request = MakeRequest({note("a"), note("b"), note("c")});
  EXPECT_TRUE(request->Infer().ok());
  EXPECT_TRUE(request->Infer().ok());
  EXPECT_THAT(ran, testing::ElementsAre("a", "b", "c", "a", "b", "c"));
}

TEST(RequestTest, NoStagesIsDoneAtOnce) {
  auto request = MakeRequest(std::vector<Stage>());
  EXPECT_TRUE(request->Infer().ok());
  EXPECT_TRUE(request->StartAsync().ok());
  EXPECT_TRUE(request->Wait().ok());
}

TEST(RequestTest, StagesRunOnTheirExecutors) {
  ThreadPool first(1), second(1);
  std::vector<std::thread::id> threads;
  const auto note = [&](Executor* executor) {
    return SynchronousStage("s", executor, [&] {
      threads.push_back(std::this_thread::get_id());
      return absl::OkStatus();
    });
  };
  auto request = MakeRequest(
      {note(&first), note(&second), note(nullptr), note(&first)});
  ASSERT_TRUE(request->StartAsync().ok());
  ASSERT_TRUE(request->Wait().ok());
  ASSERT_EQ(threads.size(), 4u);
  EXPECT_NE(threads[0], threads[1]);
  EXPECT_EQ(threads[1], threads[2]);
  EXPECT_EQ(threads[0], threads[3]);
}

TEST(RequestTest, TheFirstErrorEndsIt) {
  ThreadPool pool(1);
  bool last = false;
  auto request = MakeRequest(
      {SynchronousStage("a", &pool,
                        [] { return absl::UnavailableError("lost"); }),
       SynchronousStage("b", &pool, [&] {
         last = true;
         return absl::OkStatus();
       })});
  EXPECT_EQ(request->Infer(), absl::UnavailableError("lost"));
  absl::Status told;
  ASSERT_TRUE(
      request->SetCallback([&](const absl::Status& s) { told = s; }).ok());
  ASSERT_TRUE(request->StartAsync().ok());
  EXPECT_EQ(request->Wait(), absl::UnavailableError("lost"));
  EXPECT_EQ(told, absl::UnavailableError("lost"));
  EXPECT_EQ(request->Wait(), absl::UnavailableError("lost"));  // still
  EXPECT_FALSE(last);
}

TEST(RequestTest, WaitBeforeAnyStart) {
  auto request = MakeRequest(std::vector<Stage>());
  EXPECT_EQ(request->Wait().code(), BusyCode());
  EXPECT_EQ(request->WaitFor(milliseconds(1)).status().code(), BusyCode());
}

TEST(RequestTest, BusyRefusesWhatWouldDisturb) {
  Gate gate;
  auto request = MakeRequest({gate.AsStage(nullptr)});
  ASSERT_TRUE(request->StartAsync().ok());
  const Tensor tensor = Tensor::Allocate(ElementType::kF32, {2}).value();
  EXPECT_TRUE(request->busy());
  EXPECT_EQ(request->StartAsync().code(), BusyCode());
  EXPECT_EQ(request->Infer().code(), BusyCode());
  EXPECT_EQ(request->SetInput(0, tensor).code(), BusyCode());
  EXPECT_EQ(request->SetOutput(0, tensor).code(), BusyCode());
  EXPECT_EQ(request->Input(0).status().code(), BusyCode());
  EXPECT_EQ(request->Output(0).status().code(), BusyCode());
  EXPECT_EQ(request->SetCallback(nullptr).code(), BusyCode());
  EXPECT_EQ(request->Profiling().status().code(), BusyCode());
  EXPECT_EQ(request->Variables().status().code(), BusyCode());
  EXPECT_EQ(request->SetVariable("count", tensor).code(), BusyCode());
  EXPECT_EQ(request->ResetVariables().code(), BusyCode());
  EXPECT_EQ(request->WaitFor(milliseconds(0)).value(), false);
  gate.Open();
  EXPECT_TRUE(request->Wait().ok());
  EXPECT_FALSE(request->busy());
  EXPECT_EQ(request->WaitFor(milliseconds(0)).value(), true);
  EXPECT_TRUE(request->SetInput(0, tensor).ok());
}

TEST(RequestTest, AStageMayEndInAnotherThreadEvenSynchronously) {
  Gate gate;
  auto request = MakeRequest({gate.AsStage(nullptr), gate.AsStage(nullptr)});
  std::thread device([&] {
    gate.Open();
    gate.Open(absl::DataLossError("flipped"));
  });
  EXPECT_EQ(request->Infer(), absl::DataLossError("flipped"));
  device.join();
}

TEST(RequestTest, CancelKeepsLaterStagesFromStarting) {
  ThreadPool pool(1);
  Gate gate;
  bool last = false;
  auto request =
      MakeRequest({gate.AsStage(&pool), SynchronousStage("b", &pool, [&] {
                     last = true;
                     return absl::OkStatus();
                   })});
  ASSERT_TRUE(request->StartAsync().ok());
  gate.AwaitArrival();
  request->Cancel();
  EXPECT_TRUE(request->busy());
  gate.Open();
  EXPECT_EQ(request->Wait().code(), absl::StatusCode::kCancelled);
  EXPECT_FALSE(last);
  // The next inference knows nothing of it.
  ASSERT_TRUE(request->StartAsync().ok());
  gate.Open();
  EXPECT_TRUE(request->Wait().ok());
  EXPECT_TRUE(last);
}

TEST(RequestTest, CancelDuringTheLastStageCounts) {
  Gate gate;
  auto request = MakeRequest({gate.AsStage(nullptr)});
  ASSERT_TRUE(request->StartAsync().ok());
  request->Cancel();
  gate.Open();
  EXPECT_EQ(request->Wait().code(), absl::StatusCode::kCancelled);
  ASSERT_TRUE(request->StartAsync().ok());
  request->Cancel();
  gate.Open(absl::UnavailableError("lost"));  // says more
  EXPECT_EQ(request->Wait(), absl::UnavailableError("lost"));
}

TEST(RequestTest, CancelOfAnIdleRequestDoesNothing) {
  bool cancelled = false;
  Script script;
  script.cancel = [&] { cancelled = true; };
  auto request = MakeRequest(std::move(script));
  request->Cancel();
  EXPECT_FALSE(cancelled);
  EXPECT_TRUE(request->Infer().ok());
  request->Cancel();
  EXPECT_FALSE(cancelled);
  EXPECT_TRUE(request->Infer().ok());
}

TEST(RequestTest, AContextMayEndItsStageFromCancel) {
  Gate gate;
  int begun = 0;
  Script script;
  script.stages = [&] { return std::vector<Stage>{gate.AsStage(nullptr)}; };
  script.begin = [&](bool synchronous) {
    EXPECT_FALSE(synchronous);
    ++begun;
  };
  const absl::Status by_device = absl::CancelledError("by the device");
  script.cancel = [&] { gate.OpenIfLeft(by_device); };
  auto request = MakeRequest(std::move(script));
  std::vector<absl::Status> ends;
  ASSERT_TRUE(request
                  ->SetCallback([&](const absl::Status& status) {
                    ends.push_back(status);
                    if (ends.size() < 3) {
                      EXPECT_TRUE(request->StartAsync().ok());
                      request->Cancel();
                    }
                  })
                  .ok());
  ASSERT_TRUE(request->StartAsync().ok());
  request->Cancel();
  EXPECT_EQ(request->Wait().code(), absl::StatusCode::kCancelled);
  ASSERT_EQ(ends.size(), 3u);
  EXPECT_EQ(ends[0], by_device);
  // The others were cancelled before their stage began.
  EXPECT_EQ(ends[2].code(), absl::StatusCode::kCancelled);
  EXPECT_EQ(begun, 3);
}

TEST(RequestTest, CancelFromAnotherThreadEndsInfer) {
  Gate gate;
  Script script;
  script.stages = [&] { return std::vector<Stage>{gate.AsStage(nullptr)}; };
  script.cancel = [&] { gate.Open(absl::CancelledError("by the device")); };
  auto request = MakeRequest(std::move(script));
  std::thread other([&] {
    gate.AwaitArrival();
    request->Cancel();
  });
  EXPECT_EQ(request->Infer().code(), absl::StatusCode::kCancelled);
  other.join();
}

// ---- Callbacks ----

TEST(RequestTest, TheCallbackFindsTheRequestIdleAndWaitWaitsForIt) {
  ThreadPool pool(1);
  auto request = MakeRequest(
      {SynchronousStage("a", &pool, [] { return absl::OkStatus(); })});
  bool called = false;
  ASSERT_TRUE(request
                  ->SetCallback([&](const absl::Status& status) {
                    EXPECT_TRUE(status.ok());
                    EXPECT_FALSE(request->busy());
                    EXPECT_TRUE(request->Output(0).ok());
                    EXPECT_TRUE(request->Wait().ok());
                    called = true;
                  })
                  .ok());
  ASSERT_TRUE(request->StartAsync().ok());
  ASSERT_TRUE(request->Wait().ok());
  EXPECT_TRUE(called);
}

TEST(RequestTest, InferDoesNotCallBack) {
  auto request = MakeRequest(std::vector<Stage>());
  int calls = 0;
  ASSERT_TRUE(
      request->SetCallback([&](const absl::Status&) { ++calls; }).ok());
  ASSERT_TRUE(request->Infer().ok());
  EXPECT_EQ(calls, 0);
  ASSERT_TRUE(request->StartAsync().ok());
  ASSERT_TRUE(request->Wait().ok());
  EXPECT_EQ(calls, 1);
  ASSERT_TRUE(request->SetCallback(nullptr).ok());
  ASSERT_TRUE(request->StartAsync().ok());
  ASSERT_TRUE(request->Wait().ok());
  EXPECT_EQ(calls, 1);
}

// With each kind of executor, so often that a stack would not hold it.
void RestartFromCallback(Executor* executor) {
  constexpr int kTimes = 100000;
  auto request = MakeRequest(
      {SynchronousStage("a", executor, [] { return absl::OkStatus(); }),
       SynchronousStage("b", nullptr, [] { return absl::OkStatus(); })});
  int ended = 0;
  ASSERT_TRUE(request
                  ->SetCallback([&](const absl::Status& status) {
                    EXPECT_TRUE(status.ok());
                    if (++ended < kTimes) {
                      EXPECT_TRUE(request->StartAsync().ok());
                    }
                  })
                  .ok());
  ASSERT_TRUE(request->StartAsync().ok());
  ASSERT_TRUE(request->Wait().ok());
  EXPECT_EQ(ended, kTimes);
}

TEST(RequestTest, TheCallbackMayStartAgainOnAPool) {
  ThreadPool pool(2);
  RestartFromCallback(&pool);
}

TEST(RequestTest, TheCallbackMayStartAgainInline) {
  InlineExecutor executor;
  RestartFromCallback(&executor);
  RestartFromCallback(nullptr);
}

TEST(RequestTest, TheCallbackMayStartAgainAndWait) {
  auto request = MakeRequest(
      {SynchronousStage("a", nullptr, [] { return absl::OkStatus(); })});
  int ended = 0;
  ASSERT_TRUE(request
                  ->SetCallback([&](const absl::Status&) {
                    if (++ended > 1) return;
                    EXPECT_TRUE(request->StartAsync().ok());
                    EXPECT_TRUE(request->Wait().ok());
                    EXPECT_EQ(ended, 2);
                  })
                  .ok());
  ASSERT_TRUE(request->StartAsync().ok());
  ASSERT_TRUE(request->Wait().ok());
  EXPECT_EQ(ended, 2);
}

TEST(RequestTest, TheCallbackMayDestroyItsRequest) {
  auto pool = std::make_shared<ThreadPool>(1);
  std::atomic<bool> destroyed = false;
  Script script;
  // The pool lives as long as the executable, which the callback ends.
  script.stages = [pool] {
    return std::vector<Stage>{
        SynchronousStage("a", pool.get(), [] { return absl::OkStatus(); })};
  };
  std::unique_ptr<Request> request = MakeRequest(std::move(script));
  pool.reset();
  Request* raw = request.get();
  ASSERT_TRUE(raw->SetCallback([&](const absl::Status&) {
                   request.reset();
                   destroyed = true;
                   destroyed.notify_all();
                 }).ok());
  ASSERT_TRUE(raw->StartAsync().ok());
  destroyed.wait(false);
}

TEST(RequestTest, TheCallbackMayDestroyAQueuedRequestOfItsThread) {
  ThreadPool pool(1);
  const auto stage = [&] {
    return SynchronousStage("a", &pool, [] { return absl::OkStatus(); });
  };
  auto first = MakeRequest({stage()});
  auto second = MakeRequest({stage()});
  absl::Status second_status;
  ASSERT_TRUE(second
                  ->SetCallback([&](const absl::Status& status) {
                    second_status = status;
                  })
                  .ok());
  ASSERT_TRUE(first
                  ->SetCallback([&](const absl::Status&) {
                    EXPECT_TRUE(second->StartAsync().ok());
                    second.reset();  // its stage is behind us in the queue
                  })
                  .ok());
  ASSERT_TRUE(first->StartAsync().ok());
  ASSERT_TRUE(first->Wait().ok());
  EXPECT_EQ(second_status.code(), absl::StatusCode::kCancelled);
}

// ---- Destruction ----

TEST(RequestTest, DestructionCancelsAndWaits) {
  ThreadPool pool(1);
  Gate gate;
  bool ended = false;
  Script script;
  script.stages = [&] { return std::vector<Stage>{gate.AsStage(&pool)}; };
  script.cancel = [&] { gate.Open(); };
  auto request = MakeRequest(std::move(script));
  ASSERT_TRUE(request
                  ->SetCallback([&](const absl::Status& status) {
                    EXPECT_EQ(status.code(), absl::StatusCode::kCancelled);
                    // Starting for ever must not keep it alive.
                    EXPECT_EQ(request->StartAsync().code(), BusyCode());
                    ended = true;
                  })
                  .ok());
  ASSERT_TRUE(request->StartAsync().ok());
  gate.AwaitArrival();
  request->~Request();  // so that the callback can still name it
  EXPECT_TRUE(ended);
  operator delete(request.release());
}

TEST(RequestTest, DestructionDoesNotWaitForAQueue) {
  Gate gate;
  ThreadPool pool(1);
  std::atomic<bool> release = false;
  pool.Schedule([&] { release.wait(false); });
  bool ran = false;
  auto request = MakeRequest({SynchronousStage("a", &pool, [&] {
    ran = true;
    return absl::OkStatus();
  })});
  ASSERT_TRUE(request->StartAsync().ok());
  request.reset();
  release = true;
  release.notify_all();
  std::atomic<bool> drained = false;
  pool.Schedule([&] {
    drained = true;
    drained.notify_all();
  });
  drained.wait(false);
  EXPECT_FALSE(ran);
}

// ---- Tensors and variables ----

TEST(RequestTest, TensorsAreUsedInPlace) {
  auto request = MakeRequest(std::vector<Stage>());
  const Tensor tensor = Tensor::Allocate(ElementType::kF32, {2}).value();
  ASSERT_TRUE(request->SetInput(0, tensor).ok());
  EXPECT_EQ(request->Input(0)->raw_data(), tensor.raw_data());
  ASSERT_TRUE(request->SetOutput(0, tensor).ok());
  EXPECT_EQ(request->Output(0)->raw_data(), tensor.raw_data());
  ASSERT_TRUE(request->SetOutput(0, Tensor()).ok());
  EXPECT_NE(request->Output(0)->raw_data(), tensor.raw_data());
}

TEST(RequestTest, WrongTensorsAreRefusedByName) {
  auto request = MakeRequest(std::vector<Stage>());
  const auto make = [](ElementType type, const Shape& shape) {
    return Tensor::Allocate(type, shape).value();
  };
  const auto message = [](const absl::Status& status) {
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    return std::string(status.message());
  };
  EXPECT_THAT(message(request->SetInput(0, make(ElementType::kF16, {2}))),
              testing::AllOf(HasSubstr("input 'in' (f32[2])"),
                             HasSubstr("f16[2]"), HasSubstr("type")));
  EXPECT_THAT(message(request->SetInput(0, make(ElementType::kF32, {3}))),
              testing::AllOf(HasSubstr("f32[3]"), HasSubstr("shape")));
  EXPECT_THAT(message(request->SetInput(1, make(ElementType::kF32, {3, 1}))),
              HasSubstr("'any' (f32[?])"));
  EXPECT_THAT(message(request->SetInput(0, Tensor())), HasSubstr("no data"));
  const float data[2] = {};
  const Tensor constant =
      Tensor::Share(ElementType::kF32, {2}, data, sizeof(data), nullptr)
          .value();
  EXPECT_TRUE(request->SetInput(0, constant).ok());
  EXPECT_THAT(message(request->SetOutput(0, constant)),
              HasSubstr("read-only"));
  EXPECT_TRUE(request->SetInput(1, make(ElementType::kF32, {7})).ok());
  EXPECT_EQ(request->SetInput(2, constant).code(),
            absl::StatusCode::kOutOfRange);
  EXPECT_EQ(request->Output(-1).status().code(),
            absl::StatusCode::kOutOfRange);
}

TEST(RequestTest, DynamicPortsHaveNoTensorUntilThereIsOne) {
  auto request = MakeRequest(std::vector<Stage>());
  EXPECT_TRUE(request->Input(0).ok());
  EXPECT_EQ(request->Input(1).status().code(),
            absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(request->Output(1).status().code(),
            absl::StatusCode::kFailedPrecondition);
}

TEST(RequestTest, Variables) {
  auto request = MakeRequest(std::vector<Stage>());
  const Tensor value = Tensor::Allocate(ElementType::kF32, {1}).value();
  ASSERT_TRUE(request->SetVariable("count", value).ok());
  EXPECT_EQ(request->Variables()->at(0).value.raw_data(), value.raw_data());
  EXPECT_EQ(request->SetVariable("other", value).code(),
            absl::StatusCode::kNotFound);
  ASSERT_TRUE(request->ResetVariables().ok());
  EXPECT_FALSE(request->Variables()->at(0).value.has_data());
}

// ---- What contract 2 adds ----

TEST(RequestTest, TheContextLearnsHowItEnded) {
  std::vector<std::string> events;
  absl::Status next;
  Script script;
  script.stages = [&] {
    return std::vector<Stage>{
        SynchronousStage("execute", nullptr, [&] { return next; })};
  };
  script.begin = [&](bool synchronous) {
    events.push_back(synchronous ? "synchronous" : "asynchronous");
  };
  script.end = [&](const absl::Status& status) {
    events.push_back(status.ok() ? "good" : std::string(status.message()));
  };
  auto request = MakeRequest(std::move(script));
  EXPECT_TRUE(request->Infer().ok());
  next = absl::DataLossError("bad");
  ASSERT_TRUE(request->StartAsync().ok());
  EXPECT_EQ(request->Wait(), next);
  EXPECT_THAT(events, ::testing::ElementsAre("synchronous", "good",
                                             "asynchronous", "bad"));
}

TEST(RequestTest, CallbacksMayHaveAnExecutor) {
  const auto pool = std::make_shared<ThreadPool>(1, "callbacks");
  std::promise<std::thread::id> pool_thread, callback_thread;
  pool->Schedule([&] { pool_thread.set_value(std::this_thread::get_id()); });
  auto request = MakeRequest(std::vector<Stage>{
      SynchronousStage("execute", nullptr, [] { return absl::OkStatus(); })});
  ASSERT_TRUE(request
                  ->SetCallback(
                      [&](const absl::Status&) {
                        callback_thread.set_value(std::this_thread::get_id());
                      },
                      pool)
                  .ok());
  ASSERT_TRUE(request->StartAsync().ok());
  ASSERT_TRUE(request->Wait().ok());  // for the callback, too
  EXPECT_EQ(callback_thread.get_future().get(), pool_thread.get_future().get());
}

// What a synchronous inference waits for may have been put off by the callback
// that it is run in.
TEST(RequestTest, ACallbackMayInferOnAnInlineExecutor) {
  InlineExecutor here;
  auto inner = MakeRequest(std::vector<Stage>{
      SynchronousStage("execute", &here, [] { return absl::OkStatus(); })});
  auto outer = MakeRequest(std::vector<Stage>{
      {"execute", nullptr, [&](StageDone done) {
         ASSERT_TRUE(inner
                         ->SetCallback([done](const absl::Status& status) {
                           done(status);
                         })
                         .ok());
         ASSERT_TRUE(inner->StartAsync().ok());
       }}});
  auto first = MakeRequest(std::vector<Stage>{
      SynchronousStage("execute", &here, [] { return absl::OkStatus(); })});
  absl::Status nested = absl::UnknownError("not run");
  ASSERT_TRUE(first
                  ->SetCallback([&](const absl::Status&) {
                    nested = outer->Infer();
                  })
                  .ok());
  ASSERT_TRUE(first->StartAsync().ok());
  ASSERT_TRUE(first->Wait().ok());
  EXPECT_TRUE(nested.ok()) << nested;
}

}  // namespace
}  // namespace dovetail
