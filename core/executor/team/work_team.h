// A stream's threads as one team for parallel loops: forks and joins of a
// microsecond, as an inference has them between every two layers.
#ifndef DOVETAIL_CORE_EXECUTOR_TEAM_WORK_TEAM_H_
#define DOVETAIL_CORE_EXECUTOR_TEAM_WORK_TEAM_H_

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/types/span.h"
#include "dovetail/core/executor/cpus/affinity.h"
#include "dovetail/core/executor/executor.h"
#include "dovetail/core/executor/team/movable_thread.h"
#include "dovetail/core/executor/team/spin_budget.h"

namespace dovetail {

// The thread that calls Run is one of the team, its helpers are the others.
// Each begins with a share of the tasks of its own, the same one in each loop
// of as many tasks: what a thread has read or written of a tensor is still in
// its caches when the next loop comes to the same part. Then it takes what
// others have not begun, so a helper that has no processor at the moment is not
// waited for, and if none comes the caller does everything. A helper that loses
// its processor within a task, to another program, gets the caller's, which has
// nothing else to do.
// Thread-safe; Run and Session allocate nothing. Not to be destroyed by a body.
class WorkTeam {
 public:
  // `threads` is with the calling one; below 1 counts as 1. Where the system
  // refuses more threads the team has fewer. With `may_spin` false idle helpers
  // always sleep: right when there are more threads than processors, which the
  // first form finds out for this team alone. Whether there are for all teams
  // together decides SpinBudget anew at each moment.
  explicit WorkTeam(int threads);
  WorkTeam(int threads, bool may_spin);
  // No helpers of its own, but up to `threads` tasks at a time, the caller's
  // included, by RunParts of an executor, which outlives the team.
  WorkTeam(Executor* executor, int threads);
  ~WorkTeam();
  WorkTeam(const WorkTeam&) = delete;
  WorkTeam& operator=(const WorkTeam&) = delete;

  // Has helper `i` stay on the processors `cpus[i]`; false when one cannot. The
  // threads that call Run are not the team's to place. Before the first Run.
  bool PinHelpers(absl::Span<const CpuSet> cpus);

  // The calling one included; at least 1.
  int threads() const { return threads_; }

  // Calls `body(i)` once for each i in [0, count), in no certain order, and
  // returns when all are done; what the calls wrote is then visible. The caller
  // begins with the first ones, each helper with some further ones. Alone or
  // with one task the caller does it and nobody wakes. The same while the team
  // is busy: within a body, or when two threads call at a time. `body` must not
  // throw.
  void Run(int count, absl::FunctionRef<void(int i)> body);

  // Whether this thread is in a body that some team runs, so that Run would not
  // get more threads.
  static bool InBody();

  // Whether its threads would wait by spinning now.
  bool spins() const { return may_spin_ && !budget_.crowded(); }

  // While one lives, the processor time that helpers take in tasks of this
  // thread's loops, of any team, is added to `ns`; what they wait is not. The
  // innermost counts. Without any, nothing is measured.
  class CountHelpers {
   public:
    // `ns` outlives this.
    explicit CountHelpers(std::atomic<int64_t>& ns);
    ~CountHelpers();
    CountHelpers(const CountHelpers&) = delete;
    CountHelpers& operator=(const CountHelpers&) = delete;

   private:
    std::atomic<int64_t>* const outer_;
  };

  // An inference or compilation: while one lives, helpers that are done wait
  // for the next Run by spinning some tens of microseconds; else they sleep
  // sooner.
  class Session {
   public:
    explicit Session(WorkTeam& team) : team_(team) {
      team_.budget_.Enter(team_.threads());
      team_.sessions_.fetch_add(1, std::memory_order_relaxed);
    }
    ~Session() {
      team_.sessions_.fetch_sub(1, std::memory_order_relaxed);
      team_.budget_.Leave(team_.threads());
    }
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

   private:
    WorkTeam& team_;
  };

 private:
  using Body = absl::FunctionRef<void(int)>;

  // Tasks of a loop that a member has not begun: the first one, and in the
  // lower half the end. 64 bytes apart, or threads would slow each other down
  // by writing.
  struct alignas(64) Share {
    std::atomic<uint64_t> tasks = 0;
  };

  struct alignas(64) Helper {
    // 1 while it sleeps or is about to, and nobody has called it.
    std::atomic<int> asleep = 0;
    std::atomic<bool> working = false;  // may have taken a task
    // The caller's.
    std::chrono::nanoseconds cpu_time{0};
    bool migrated = false;

    MovableThread thread;
  };

  // Caller.
  void RunTogether(int count, const Body& body);
  void RunOnExecutor(int count, const Body& body);
  void WaitForHelpers();
  void SampleCpuTimes();
  bool MigrateStopped(int cpu);
  void ReleaseMigrated(int cpu);
  bool Finished() const;
  bool SleepUntilFinished(std::chrono::nanoseconds limit);
  // Helpers.
  void Help(Helper& helper, int member);
  void LeaveCaller(Helper& helper);
  void Finish(int done);
  bool SpinForWork();
  void Sleep(Helper& helper);
  int DrainTimed(int member);
  // Both. Members are the caller, 0, and the helpers.
  template <typename AtFirst>
  int Drain(int member, AtFirst at_first);
  int TakeTask(int member);
  void Wake(int count);

  const bool may_spin_;
  Executor* const executor_ = nullptr;
  SpinBudget& budget_;
  int threads_ = 1;
  int helper_count_ = 0;  // the first ones of helpers_, which have a thread
  std::vector<std::unique_ptr<Helper>> helpers_;
  std::vector<Share> shares_;  // of the members
  std::atomic<bool> stopping_ = false;
  std::atomic<bool> busy_ = false;  // a Run has the helpers

  // Tasks that nobody has taken; zero or less: no work. Who takes one off may
  // read `body_`, `helpers_ns_` and the shares, which have one for it.
  alignas(64) std::atomic<int> untaken_ = 0;
  const Body* body_ = nullptr;
  std::atomic<int64_t>* helpers_ns_ = nullptr;  // see CountHelpers
  std::atomic<int> caller_cpu_ = -1;

  alignas(64) std::atomic<int> unfinished_ = 0;
  std::atomic<bool> caller_sleeps_ = false;

  alignas(64) std::atomic<int> sleepers_ = 0;
  std::atomic<int> sessions_ = 0;
};

}  // namespace dovetail

#endif  // DOVETAIL_CORE_EXECUTOR_TEAM_WORK_TEAM_H_
