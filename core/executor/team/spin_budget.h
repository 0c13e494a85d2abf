// Who may wait by spinning. To spin is right while each thread at work has a
// processor; with more of them it takes processors from those that compute.
#ifndef DOVETAIL_CORE_EXECUTOR_TEAM_SPIN_BUDGET_H_
#define DOVETAIL_CORE_EXECUTOR_TEAM_SPIN_BUDGET_H_

#include <atomic>
#include <cstdint>

namespace dovetail {

// The threads that inferences and compilations keep busy at this moment,
// against the processors. Teams of all sizes share one: each alone may fit
// where they together do not. Thread-safe.
class SpinBudget {
 public:
  // The process's, loaded plugins included.
  static SpinBudget& OfProcess();

  // With UsableCpus().
  SpinBudget();
  explicit SpinBudget(int cpus) : cpus_(cpus) {}
  // The usable processors may have become others.
  void Refresh();

  void Enter(int threads) {
    at_work_.fetch_add(threads, std::memory_order_relaxed);
  }
  void Leave(int threads) {
    at_work_.fetch_sub(threads, std::memory_order_relaxed);
  }
  int at_work() const { return at_work_.load(std::memory_order_relaxed); }

  // Whether more threads are at work than there are processors.
  bool crowded() const {
    return at_work() > cpus_.load(std::memory_order_relaxed);
  }

  // Whether so many threads of all those at work, among others', have less than
  // two processors as their share. Helpers would then take turns with the
  // others, and be waited for; the caller alone gets on as well.
  bool HelpersTakeTurns(int threads) const {
    const int64_t all = at_work();
    const int64_t cpus = cpus_.load(std::memory_order_relaxed);
    return all > threads && cpus * threads < 2 * all;
  }

 private:
  // Read by all that spin and written at both ends of each inference.
  alignas(64) std::atomic<int> at_work_ = 0;
  std::atomic<int> cpus_;
};

}  // namespace dovetail

#endif  // DOVETAIL_CORE_EXECUTOR_TEAM_SPIN_BUDGET_H_
