// Runs the stages of an execution context, in place or on their executors: what
// stands under a request, and under a device that is made of others, whose one
// stage is the chain of the device that it has chosen.
//
//   idle ─Start─▶ queued ──its executor gets to it──▶ running ──done──▶ queued
//    ▲              │ given up                           │ error, or last    │
//    └──────────────┴────────────────────────────────────┘    next stage ◀───┘
//
// Queued: the next stage waits in its executor's queue. Running: its `start`
// has been called and `done` has not.
#ifndef DOVETAIL_CORE_REQUEST_STAGE_CHAIN_H_
#define DOVETAIL_CORE_REQUEST_STAGE_CHAIN_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "dovetail/core/plugin/profiling.h"
#include "dovetail/core/plugin/stage.h"

namespace dovetail {

// One run at a time, which is either RunHere or Start, after Begin. Allocates
// nothing in a steady state. Cancel and GiveUp may come from any thread while
// the chain runs; the rest is for one thread at a time. It may be destroyed when
// it is idle, even in `ended`, and while a task that was given up is still in an
// executor's queue.
class StageChain {
 public:
  // Called once at the end of an asynchronous run, in the thread of a stage or
  // of GiveUp: a plain function and what it is given, so that neither
  // takes memory. The chain is idle by then.
  struct Ended {
    void (*function)(void* object, absl::Status status);
    void* object;
  };

  // `stages` outlive every run, and have memory of the allocator that is
  // current now. `timed`: keeps when each stage ran.
  explicit StageChain(absl::Span<const Stage> stages, bool timed = false);
  ~StageChain();
  StageChain(const StageChain&) = delete;
  StageChain& operator=(const StageChain&) = delete;

  // Forgets any Cancel until now.
  void Begin();
  // Runs all stages in this thread, waiting for each; the first error.
  absl::Status RunHere();
  // Hands the first stage to its executor, or runs it here when it has none.
  // The executors live until this has returned, too: the run may end before.
  void Start(Ended ended);

  // Stages that have not been started will not be: the run ends with
  // kCancelled, or with the error of the running stage.
  void Cancel();
  // Ends an asynchronous run at once, in this thread, when its next stage is
  // still in an executor's queue; else no stage goes into one any more, so that
  // a thread of that executor may wait for the end.
  void GiveUp();

  // Of the last run, when it is timed: one record for each stage that ran.
  std::vector<ProfilingRecord> profiling() const;

 private:
  class State;
  State* const state_;  // counted: tasks in queues have references too
};

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REQUEST_STAGE_CHAIN_H_
