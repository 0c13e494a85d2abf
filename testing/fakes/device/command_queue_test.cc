#include "dovetail/testing/fakes/device/command_queue.h"

#include <future>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

absl::Status DoNothing(const std::atomic<bool>&) { return absl::OkStatus(); }

// Where a completion leaves its status.
class Outcome {
 public:
  CommandQueue::Completion AsCompletion() {
    return [this](absl::Status status) { promise_.set_value(status); };
  }
  absl::Status Get() { return promise_.get_future().get(); }

 private:
  std::promise<absl::Status> promise_;  // throws when it is set twice
};

TEST(CommandQueueTest, DoesWorkInOrderOnAThreadOfItsOwn) {
  CommandQueue queue;
  std::vector<std::string> done;
  std::thread::id worker;
  const auto note = [&](const char* name) {
    return [&, name](const std::atomic<bool>&) {
      worker = std::this_thread::get_id();
      done.push_back(name);
      return absl::OkStatus();
    };
  };
  Outcome first, second;
  queue.Hold();
  queue.Submit(note("first"), first.AsCompletion());
  queue.Submit(note("second"), second.AsCompletion());
  queue.Release();
  EXPECT_TRUE(second.Get().ok());
  EXPECT_TRUE(first.Get().ok());
  EXPECT_THAT(done, testing::ElementsAre("first", "second"));
  EXPECT_NE(worker, std::this_thread::get_id());
}

TEST(CommandQueueTest, AbortTakesWorkOff) {
  CommandQueue queue;
  queue.Hold();
  Outcome first, second;
  const auto ticket = queue.Submit(DoNothing, first.AsCompletion());
  queue.Submit(DoNothing, second.AsCompletion());
  queue.Abort(ticket);
  EXPECT_EQ(first.Get().code(), absl::StatusCode::kCancelled);
  queue.Abort(ticket);  // is gone
  queue.Release();
  EXPECT_TRUE(second.Get().ok());
}

TEST(CommandQueueTest, AbortReachesWorkThatIsBeingDone) {
  CommandQueue queue;
  std::promise<void> started;
  Outcome outcome;
  const auto ticket = queue.Submit(
      [&](const std::atomic<bool>& aborted) {
        started.set_value();
        while (!aborted) std::this_thread::yield();
        return absl::CancelledError("stopped");
      },
      outcome.AsCompletion());
  started.get_future().wait();
  queue.Abort(ticket);
  EXPECT_EQ(outcome.Get(), absl::CancelledError("stopped"));
}

TEST(CommandQueueTest, FailEndsWhatIsThereAndWhatComes) {
  CommandQueue queue;
  const absl::Status lost = absl::UnavailableError("lost");
  queue.Hold();
  Outcome before, after;
  queue.Submit(DoNothing, before.AsCompletion());
  queue.Fail(lost);
  EXPECT_EQ(before.Get(), lost);
  queue.Submit(DoNothing, after.AsCompletion());
  EXPECT_EQ(after.Get(), lost);
}

TEST(CommandQueueTest, ACompletionMayDestroyTheQueue) {
  auto queue = std::make_unique<CommandQueue>();
  std::promise<void> destroyed;
  queue->Submit(DoNothing, [&](absl::Status) {
    queue.reset();
    destroyed.set_value();
  });
  destroyed.get_future().wait();
}

TEST(CommandQueueTest, ClosingItTellsThoseInIt) {
  auto queue = std::make_unique<CommandQueue>();
  queue->Hold();
  Outcome outcome;
  queue->Submit(DoNothing, outcome.AsCompletion());
  queue.reset();
  EXPECT_EQ(outcome.Get().code(), absl::StatusCode::kCancelled);
}

}  // namespace
}  // namespace dovetail
