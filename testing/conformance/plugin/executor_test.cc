// Inferences in threads that the application gives (Core::SetExecutor). A
// device that computes elsewhere has no use for them and must not mind.

#include <atomic>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "dovetail/core/executor/inline_executor.h"
#include "dovetail/core/executor/pools/thread_pool.h"
#include "dovetail/testing/backend/device_test.h"
#include "dovetail/testing/graphs/small_models.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

constexpr int64_t kMany = 1 << 18;

// So many elements that loops are worth several threads.
Model ManyModel() {
  return ModelOf(R"(model "many"
    %x = Parameter-0() {shape: [262144], element_type: f32} : f32[262144] "x"
    %y = Relu-0(%x) {} : f32[262144] "y"
    %o = Result-0(%y) {}  # out)");
}

// Whether the current thread is in a task of an AppExecutor.
bool& InTask() {
  static thread_local bool in_task = false;
  return in_task;
}

// An application's own threads, which counts what it is given.
class AppExecutor final : public Executor {
 public:
  explicit AppExecutor(int threads) : pool_(threads, "app") {}

  void Schedule(Task task) override {
    ++tasks;
    pool_.Schedule([task = std::move(task)] {
      InTask() = true;
      task();
      InTask() = false;
    });
  }
  int concurrency() const override { return pool_.concurrency(); }
  void RunParts(int count, absl::FunctionRef<void(int i)> body) override {
    ++loops;
    Executor::RunParts(count, body);
  }

  std::atomic<int> tasks = 0;
  std::atomic<int> loops = 0;

 private:
  ThreadPool pool_;
};

// Says that it has threads and has none.
class BoastfulExecutor final : public Executor {
 public:
  void Schedule(Task task) override { task(); }
  int concurrency() const override { return 4; }
};

class ExecutorTest : public DeviceTest {
 protected:
  // Whether stages of the device run in the host's threads.
  bool uses_threads() const { return HasProperty("NUM_STREAMS"); }
  // And its loops: what is one of several devices computes by itself.
  bool loops_on_host() const {
    return uses_threads() && !HasProperty("DEVICE_ID");
  }

  CompiledModel CompileWith(std::shared_ptr<Executor> executor,
                            const Model& model) {
    core_.SetExecutor(std::move(executor));
    CompiledModel compiled = Compile(model);
    core_.SetExecutor(nullptr);
    return compiled;
  }

  // A request of ManyModel with all elements 3.
  static InferRequest RequestOf(const CompiledModel& model) {
    InferRequest request = model.NewRequest().value();
    EXPECT_TRUE(
        request.SetInput(0, Floats({kMany}, std::vector<double>(kMany, 3)))
            .ok());
    return request;
  }
  void ExpectRight(InferRequest& request) const {
    ASSERT_TRUE(Gives(request.Output(0), std::vector<double>(kMany, 3)));
  }

  // Some asynchronous inferences, each started by the callback of the one
  // before, and as many synchronous ones.
  void RunSome(const CompiledModel& model, int count) {
    InferRequest request = RequestOf(model);
    std::atomic<int> left = count;
    std::promise<void> done;
    const auto again = [&](const absl::Status& status) {
      EXPECT_TRUE(status.ok()) << status;
      if (--left == 0) return done.set_value();
      EXPECT_TRUE(request.StartAsync().ok());
    };
    ASSERT_TRUE(request.SetCallback(again).ok());
    ASSERT_TRUE(request.StartAsync().ok());
    done.get_future().wait();
    ASSERT_TRUE(request.Wait().ok());
    ExpectRight(request);
    for (int i = 0; i < count; ++i) ASSERT_TRUE(request.Infer().ok());
    ExpectRight(request);
  }
};

TEST_F(ExecutorTest, StagesAndLoopsRunInIt) {
  DOVETAIL_SKIP_UNLESS_SUPPORTED(ManyModel());
  const auto executor = std::make_shared<AppExecutor>(3);
  const CompiledModel model = CompileWith(executor, ManyModel());
  InferRequest request = RequestOf(model);
  executor->loops = 0;
  executor->tasks = 0;
  std::promise<bool> in_task;
  ASSERT_TRUE(request
                  .SetCallback(
                      [&](const absl::Status&) { in_task.set_value(InTask()); })
                  .ok());
  ASSERT_TRUE(request.StartAsync().ok());
  const bool ended_in_task = in_task.get_future().get();
  // The thread in which a device of its own says that it is done may still be
  // in Schedule at the end, and then calls back; so may the one that starts a
  // request of a device that hands it to another.
  if (loops_on_host() && !has_parts()) {
    EXPECT_TRUE(ended_in_task);
  }
  ASSERT_TRUE(request.Wait().ok());
  ExpectRight(request);
  if (loops_on_host()) {
    EXPECT_GT(executor->loops, 0);
  }
  if (!moves()) {
    EXPECT_EQ(executor->tasks > 0, uses_threads());
  }

  // The stages of a synchronous inference are its caller's, loops are not.
  executor->loops = 0;
  ASSERT_TRUE(request.Infer().ok());
  if (loops_on_host()) {
    EXPECT_GT(executor->loops, 0);
  }
}

TEST_F(ExecutorTest, OtherModelsDoNot) {
  DOVETAIL_SKIP_UNLESS_SUPPORTED(ManyModel());
  const auto executor = std::make_shared<AppExecutor>(2);
  const CompiledModel with = CompileWith(executor, ManyModel());
  const CompiledModel without = Compile(ManyModel());
  executor->tasks = 0;
  RunSome(without, 3);
  EXPECT_EQ(executor->tasks, 0);
  RunSome(with, 3);
  if (!moves()) {
    EXPECT_EQ(executor->tasks > 0, uses_threads());
  }
}

TEST_F(ExecutorTest, OneThreadIsEnough) {
  DOVETAIL_SKIP_UNLESS_SUPPORTED(ManyModel());
  const auto executor = std::make_shared<AppExecutor>(1);
  const CompiledModel model = CompileWith(executor, ManyModel());
  std::vector<InferRequest> requests;
  std::atomic<int> ended = 0;
  for (int i = 0; i < 4; ++i) {
    requests.push_back(RequestOf(model));
    // Callbacks are tasks of the same thread.
    ASSERT_TRUE(
        requests[i]
            .SetCallback([&](const absl::Status&) { ++ended; }, executor)
            .ok());
  }
  for (int round = 0; round < 3; ++round) {
    for (InferRequest& request : requests) {
      ASSERT_TRUE(request.StartAsync().ok());
    }
    for (InferRequest& request : requests) {
      ASSERT_TRUE(request.Wait().ok());
    }
  }
  EXPECT_EQ(ended, 12);
  for (InferRequest& request : requests) ExpectRight(request);
  RunSome(model, 5);
}

TEST_F(ExecutorTest, NoThreadIsEnough) {
  DOVETAIL_SKIP_UNLESS_SUPPORTED(ManyModel());
  RunSome(CompileWith(std::make_shared<InlineExecutor>(), ManyModel()), 30);
  RunSome(CompileWith(std::make_shared<BoastfulExecutor>(), ManyModel()), 30);
}

TEST_F(ExecutorTest, ThreadsShareIt) {
  DOVETAIL_SKIP_UNLESS_SUPPORTED(ManyModel());
  const auto executor = std::make_shared<AppExecutor>(2);
  const CompiledModel model = CompileWith(executor, ManyModel());
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t) {
    threads.emplace_back([&] { RunSome(model, 5); });
  }
  for (std::thread& thread : threads) thread.join();
}

// The last of all users of executor, model and requests is a callback in the
// executor's only thread, behind which stages are still queued.
TEST_F(ExecutorTest, EverythingMayEndInOneOfItsTasks) {
  if (!uses_threads()) GTEST_SKIP() << "tasks of its own";
  DOVETAIL_SKIP_UNLESS_SUPPORTED(ManyModel());
  for (int round = 0; round < 10; ++round) {
    auto executor = std::make_shared<AppExecutor>(1);
    std::optional<CompiledModel> model = CompileWith(executor, ManyModel());
    std::vector<InferRequest> requests;
    for (int i = 0; i < 3; ++i) requests.push_back(RequestOf(*model));
    std::promise<void> all_started;
    const auto all_gone = std::make_shared<std::promise<void>>();
    const auto end_all = [&, all_gone](const absl::Status&) {
      all_started.get_future().wait();
      requests.clear();
      model.reset();
      all_gone->set_value();
    };
    ASSERT_TRUE(requests[0].SetCallback(end_all).ok());
    for (InferRequest& request : requests) {
      ASSERT_TRUE(request.StartAsync().ok());
    }
    executor.reset();
    all_started.set_value();
    all_gone->get_future().wait();
  }
}

}  // namespace
}  // namespace dovetail
