// The processors that a quota of processor time leaves to this process, where
// other processes use of the same quota.
#ifndef DOVETAIL_CORE_EXECUTOR_TURNS_QUOTA_WATCH_H_
#define DOVETAIL_CORE_EXECUTOR_TURNS_QUOTA_WATCH_H_

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>

namespace dovetail {

// What is left of `limit` processors when others use so many, but at least half
// of them, so that two who want all come to share alike; at least 1.
int CpusLeft(double limit, double used_by_others);

// Thread-safe.
class QuotaWatch {
 public:
  using Clock = std::chrono::steady_clock;

  static QuotaWatch& OfProcess();

  // Whether to call Cpus: to one who asks every 200 ms, once where there is no
  // quota.
  bool Due(Clock::time_point now);

  // What others leave of the quota, by what was used since the call before;
  // nothing where that is all that this process may use, UsableCpus().
  std::optional<int> Cpus();

  // For Cpus: what a limit of so many processors leaves, at an instant when the
  // group, this process included, and this process have used so much, ever;
  // nothing where one of them is not known, and before the second call. In the
  // first 50 ms after a call the answer does not change.
  std::optional<int> Left(std::optional<double> limit, Clock::time_point now,
                          std::optional<std::chrono::nanoseconds> group,
                          std::chrono::nanoseconds own);

 private:
  std::atomic<int64_t> due_ns_ = 0;

  std::mutex mutex_;  // guards what follows
  std::optional<Clock::time_point> then_;
  std::chrono::nanoseconds others_then_{0};
  std::optional<int> left_;
};

}  // namespace dovetail

#endif  // DOVETAIL_CORE_EXECUTOR_TURNS_QUOTA_WATCH_H_
