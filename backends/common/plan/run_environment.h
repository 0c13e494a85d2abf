// The state that the steps of one inference share.
#ifndef DOVETAIL_BACKENDS_COMMON_PLAN_RUN_ENVIRONMENT_H_
#define DOVETAIL_BACKENDS_COMMON_PLAN_RUN_ENVIRONMENT_H_

#include <memory>

#include "dovetail/core/executor/team/work_team.h"
#include "dovetail/core/reference/kernel.h"

namespace dovetail {

class StepClock;

// Base of what a library that steps use keeps for each context, such as a queue
// bound to the context's threads.
class LibraryState {
 public:
  virtual ~LibraryState() = default;
};

// One a context; a context runs one inference at a time.
class RunEnvironment {
 public:
  RunEnvironment(WorkTeam* team, const KernelEnvironment* reference)
      : team_(team), reference_(reference) {}

  // Threads for parallel loops, the calling one included.
  WorkTeam& team() const { return *team_; }
  // For steps that run a reference kernel: variables, executor, cancelling.
  const KernelEnvironment& reference() const { return *reference_; }

  // Of oneDNN, which makes it at its first step; see onednn/stream.h.
  std::unique_ptr<LibraryState>& library_state() { return library_state_; }

  // Where to note what each step takes; null: nowhere.
  StepClock* clock() const { return clock_; }
  void set_clock(StepClock* clock) { clock_ = clock; }

 private:
  WorkTeam* team_;
  const KernelEnvironment* reference_;
  std::unique_ptr<LibraryState> library_state_;
  StepClock* clock_ = nullptr;
};

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_COMMON_PLAN_RUN_ENVIRONMENT_H_
