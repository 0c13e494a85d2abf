#include "dovetail/core/executor/turns/quota_watch.h"

#include <time.h>

#include <algorithm>
#include <cmath>

#include "dovetail/core/base/process_wide.h"
#include "dovetail/core/executor/cpus/cgroup.h"
#include "dovetail/core/executor/cpus/cpu_info.h"

namespace dovetail {
namespace {

using std::chrono::nanoseconds;

// Quotas are mostly of 100 ms, so that what is used swings in less than that.
constexpr std::chrono::milliseconds kBetweenLooks(200);
constexpr std::chrono::milliseconds kLeastTime(50);

nanoseconds CpuTimeOfProcess() {
  timespec time = {};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return std::chrono::seconds(time.tv_sec) + nanoseconds(time.tv_nsec);
}

}  // namespace

int CpusLeft(double limit, double used_by_others) {
  const double left = std::max(std::round(limit - used_by_others),
                               std::floor(limit / 2));
  return std::max(1, static_cast<int>(std::min(left, std::ceil(limit))));
}

QuotaWatch& QuotaWatch::OfProcess() {
  static QuotaWatch& watch =
      ProcessWide<QuotaWatch>("core/executor quota watch");
  return watch;
}

bool QuotaWatch::Due(Clock::time_point now) {
  int64_t due = due_ns_.load(std::memory_order_relaxed);
  const int64_t ns = nanoseconds(now.time_since_epoch()).count();
  return ns >= due &&
         due_ns_.compare_exchange_strong(
             due, ns + nanoseconds(kBetweenLooks).count());
}

std::optional<int> QuotaWatch::Cpus() {
  const char* const groups = "/proc/self/cgroup";
  const char* const root = "/sys/fs/cgroup";
  const std::optional<double> limit = CgroupCpuLimit(groups, root);
  const Clock::time_point now = Clock::now();
  const nanoseconds due = (now + kBetweenLooks).time_since_epoch();
  due_ns_ = limit ? due.count() : INT64_MAX;
  const std::optional<int> left =
      Left(limit, now, limit ? CgroupCpuTime(groups, root) : std::nullopt,
           CpuTimeOfProcess());
  return left && *left < UsableCpus() ? left : std::nullopt;
}

std::optional<int> QuotaWatch::Left(std::optional<double> limit,
                                    Clock::time_point now,
                                    std::optional<nanoseconds> group,
                                    nanoseconds own) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (!limit || !group) {
    then_.reset();
    return left_ = std::nullopt;
  }
  if (then_ && now - *then_ < kLeastTime) return left_;
  const nanoseconds others = *group - own;
  if (then_) {
    using Seconds = std::chrono::duration<double>;
    left_ = CpusLeft(*limit, Seconds(others - others_then_).count() /
                                      Seconds(now - *then_).count());
  }
  then_ = now;
  others_then_ = others;
  return left_;
}

}  // namespace dovetail
