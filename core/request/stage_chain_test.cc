#include "dovetail/core/request/stage_chain.h"

#include <atomic>
#include <functional>
#include <future>
#include <string>
#include <utility>
#include <vector>

#include "dovetail/core/executor/inline_executor.h"
#include "dovetail/core/executor/pools/thread_pool.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using ::testing::ElementsAre;

// The end of a run, for the thread that waits for it.
class End {
 public:
  StageChain::Ended AsEnded() {
    return {[](void* end, absl::Status status) {
              static_cast<End*>(end)->status_.set_value(std::move(status));
            },
            this};
  }
  absl::Status Wait() { return status_.get_future().get(); }

 private:
  std::promise<absl::Status> status_;
};

absl::Status RunAsynchronously(StageChain& chain) {
  End end;
  chain.Begin();
  chain.Start(end.AsEnded());
  return end.Wait();
}

Stage Noting(std::vector<std::string>& notes, const std::string& name,
             Executor* executor, absl::Status status = absl::OkStatus()) {
  return SynchronousStage(name, executor, [&notes, name, status] {
    notes.push_back(name);
    return status;
  });
}

TEST(StageChainTest, RunsStagesInOrderBothWays) {
  ThreadPool one(1, "one"), two(1, "two");
  std::vector<std::string> notes;
  const std::vector<Stage> stages = {Noting(notes, "a", &one),
                                     Noting(notes, "b", &two),
                                     Noting(notes, "c", nullptr)};
  StageChain chain(stages);
  chain.Begin();
  EXPECT_TRUE(chain.RunHere().ok());
  EXPECT_TRUE(RunAsynchronously(chain).ok());
  EXPECT_THAT(notes, ElementsAre("a", "b", "c", "a", "b", "c"));
}

TEST(StageChainTest, AnErrorIsTheEnd) {
  ThreadPool pool(1, "pool");
  std::vector<std::string> notes;
  const absl::Status lost = absl::UnavailableError("lost");
  const std::vector<Stage> stages = {Noting(notes, "a", &pool, lost),
                                     Noting(notes, "b", &pool)};
  StageChain chain(stages);
  chain.Begin();
  EXPECT_EQ(chain.RunHere(), lost);
  EXPECT_EQ(RunAsynchronously(chain), lost);
  EXPECT_THAT(notes, ElementsAre("a", "a"));
}

TEST(StageChainTest, NoStagesEndAtOnce) {
  StageChain chain({});
  chain.Begin();
  EXPECT_TRUE(chain.RunHere().ok());
  EXPECT_TRUE(RunAsynchronously(chain).ok());
}

TEST(StageChainTest, CancelKeepsStagesFromStarting) {
  ThreadPool pool(1, "pool");
  std::vector<std::string> notes;
  StageChain* running = nullptr;
  const std::vector<Stage> stages = {
      SynchronousStage("a", &pool,
                       [&] {
                         running->Cancel();
                         return absl::OkStatus();
                       }),
      Noting(notes, "b", &pool)};
  StageChain chain(stages);
  running = &chain;
  chain.Begin();
  EXPECT_EQ(chain.RunHere().code(), absl::StatusCode::kCancelled);
  EXPECT_EQ(RunAsynchronously(chain).code(), absl::StatusCode::kCancelled);
  EXPECT_TRUE(notes.empty());
  // Also between Begin and Start; and a Begin forgets it.
  chain.Begin();
  chain.Cancel();
  End end;
  chain.Start(end.AsEnded());
  EXPECT_EQ(end.Wait().code(), absl::StatusCode::kCancelled);
}

TEST(StageChainTest, AQueuedStageIsGivenUp) {
  std::promise<void> release;
  ThreadPool pool(1, "pool");
  pool.Schedule([&] { release.get_future().wait(); });
  std::vector<std::string> notes;
  const std::vector<Stage> stages = {Noting(notes, "a", &pool)};
  {
    StageChain chain(stages);
    End end;
    chain.Begin();
    chain.Start(end.AsEnded());
    chain.Cancel();
    chain.GiveUp();
    EXPECT_EQ(end.Wait().code(), absl::StatusCode::kCancelled);
  }
  release.set_value();  // the task finds nothing to do
  EXPECT_TRUE(notes.empty());
}

// The one thread of the next stage's executor may be who waits for the end.
TEST(StageChainTest, AStageThatWouldBeQueuedNextIsGivenUp) {
  ThreadPool pool(1, "pool");
  std::vector<std::string> notes;
  StageDone done;
  const std::vector<Stage> stages = {
      {"a", nullptr, [&](StageDone when) { done = std::move(when); }},
      Noting(notes, "b", &pool)};
  StageChain chain(stages);
  End end;
  chain.Begin();
  chain.Start(end.AsEnded());
  chain.GiveUp();
  std::promise<absl::Status> ended;
  pool.Schedule([&] { ended.set_value(end.Wait()); });
  done(absl::OkStatus());
  EXPECT_EQ(ended.get_future().get().code(), absl::StatusCode::kCancelled);
  EXPECT_TRUE(notes.empty());
  // A Begin forgets it.
  End again;
  chain.Begin();
  chain.Start(again.AsEnded());
  done(absl::OkStatus());
  EXPECT_TRUE(again.Wait().ok());
  EXPECT_THAT(notes, ElementsAre("b"));
}

// A device made of others: its one stage is the chain of another context.
class Outer {
 public:
  explicit Outer(absl::Span<const Stage> inner)
      : inner_(inner),
        stages_({{"execute", nullptr, [this](StageDone done) {
                    inner_.Begin();
                    if (synchronous) return done(inner_.RunHere());
                    done_ = std::move(done);
                    inner_.Start({&Outer::InnerEnded, this});
                  }}}) {}

  absl::Span<const Stage> stages() const { return stages_; }
  bool synchronous = false;

 private:
  static void InnerEnded(void* outer, absl::Status status) {
    auto done = std::move(static_cast<Outer*>(outer)->done_);
    done(std::move(status));
  }

  StageChain inner_;
  StageDone done_;
  const std::vector<Stage> stages_;
};

TEST(StageChainTest, AChainMayBeAStageOfAnother) {
  ThreadPool one(1, "one"), two(1, "two");
  std::vector<std::string> notes;
  const std::vector<Stage> inner = {Noting(notes, "a", &one),
                                    Noting(notes, "b", &two)};
  Outer outer(inner);
  StageChain chain(outer.stages());
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(RunAsynchronously(chain).ok());
  outer.synchronous = true;
  chain.Begin();
  EXPECT_TRUE(chain.RunHere().ok());
  EXPECT_EQ(notes.size(), 202u);
}

// A run that ends in the executor's Schedule starts the next one: the stack must
// not grow with it.
TEST(StageChainTest, ALongSequenceOfRunsNeedsNoDeepStack) {
  InlineExecutor here;
  int runs = 0;
  const std::vector<Stage> stages = {
      SynchronousStage("a", &here, [] { return absl::OkStatus(); })};
  struct Again {
    StageChain chain;
    int& runs;
    static void Ended(void* object, absl::Status) {
      auto* self = static_cast<Again*>(object);
      if (++self->runs == 200000) return;
      self->chain.Begin();
      self->chain.Start({&Again::Ended, self});
    }
  };
  Again again = {StageChain(stages), runs};
  again.chain.Begin();
  again.chain.Start({&Again::Ended, &again});
  EXPECT_EQ(runs, 200000);
}

TEST(StageChainTest, NotesWhenStagesRan) {
  std::vector<std::string> notes;
  const std::vector<Stage> stages = {Noting(notes, "input copy", nullptr),
                                     Noting(notes, "execute", nullptr)};
  StageChain chain(stages, /*timed=*/true);
  chain.Begin();
  ASSERT_TRUE(chain.RunHere().ok());
  const auto records = chain.profiling();
  ASSERT_EQ(records.size(), 2u);
  EXPECT_EQ(records[0].name, "input copy");
  EXPECT_EQ(records[1].kind, ProfilingRecord::Kind::kStage);
  EXPECT_GE(records[1].start_ns,
            records[0].start_ns + records[0].duration_ns);
  EXPECT_TRUE(StageChain(stages).profiling().empty());
}

}  // namespace
}  // namespace dovetail
